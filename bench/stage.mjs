/**
 * A compiled copy of hsapi that does not change while it is measured: the working tree at the start of the benchmark, or a git
 * revision in a separate worktree.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { LOAD_CORE, pinned, startServer } from './process.mjs'

export const REPOSITORY = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const BUILD_MS = 600_000
/** A limit that no benchmark uses up. */
const HIGH_LIMIT = '900000000'

export class Stage {
  /** @param {string} root contains dist/  @param {string} dataset  @param {string} folder for output */
  constructor(root, dataset, folder) {
    this.root = root
    this.dataset = dataset
    this.folder = folder
    this.snapshot = join(folder, 'hs.snapshot')
    this.dataDir = join(folder, 'data')
    mkdirSync(folder, { recursive: true })
  }

  get #env() {
    return {
      HSAPI_HOST: '127.0.0.1',
      HSAPI_PORT: '0',
      HSAPI_DATA_DIR: this.dataDir,
      HSAPI_SNAPSHOT: this.snapshot,
    }
  }

  #run(...words) {
    const [command, args] = pinned(LOAD_CORE, process.execPath, ['dist/src/main.js', ...words])
    const options = { cwd: this.root, env: { ...process.env, ...this.#env }, timeout: BUILD_MS }
    return new Promise((resolve, reject) => {
      execFile(command, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(stderr.trim().split('\n')[0] || error.message))
        else resolve(stdout)
      })
    })
  }

  /** Compiles a dataset, by default that of the stage. @returns {Promise<number>} records */
  async build(dataset = this.dataset, out = this.snapshot) {
    return Number(/(\d+) records/.exec(await this.#run('build', '--dataset', dataset, '--out', out))[1])
  }

  async #key(...limits) {
    return JSON.parse(await this.#run('keys', 'create', '--tier', 'pro', '--json', ...limits)).key
  }

  /** Creates the snapshot, a key whose quota is never used up, and a key whose quota is used up from the start. */
  async prepare() {
    this.records = await this.build()
    this.key = await this.#key('--per-minute', HIGH_LIMIT, '--per-day', HIGH_LIMIT)
    this.spentKey = await this.#key('--per-minute', '0')
    return this
  }

  serve(env = {}, options = {}) {
    return startServer(['dist/src/main.js', 'serve'], { ...this.#env, ...env }, { cwd: this.root, ...options })
  }

  /** Another server with the same keys. It needs its own data directory, because two servers cannot share one. */
  serveBeside(name, env) {
    const dataDir = join(this.folder, `data-${name}`)
    cpSync(join(this.dataDir, 'keys.json'), join(dataDir, 'keys.json'))
    return this.serve({ ...env, HSAPI_DATA_DIR: dataDir })
  }
}

/** A copy of the working tree, which must be compiled already. */
export function freezeWorkingTree(folder) {
  if (!existsSync(join(REPOSITORY, 'dist/src/main.js'))) throw new Error('nothing is built: npm run build:code')
  const root = join(folder, 'tree')
  const notSnapshots = name => !name.endsWith('.snapshot')
  cpSync(join(REPOSITORY, 'dist'), join(root, 'dist'), { recursive: true, filter: notSnapshots })
  cpSync(join(REPOSITORY, 'package.json'), join(root, 'package.json'))
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
  return new Stage(root, join(REPOSITORY, 'dataset'), join(folder, 'state'))
}

const git = (...words) => execFileSync('git', words, { cwd: REPOSITORY, encoding: 'utf8', stdio: 'pipe' }).trim()

export function revisionOfTree() {
  try {
    const commit = git('rev-parse', '--short', 'HEAD')
    return git('status', '--porcelain', 'src', 'build', 'dataset') === '' ? commit : `${commit} with changes`
  } catch {
    return 'not under git'
  }
}

/** @returns {{stage: Stage, commit: string, remove(): void}} the revision, compiled with the current dependencies */
export function checkOut(revision, folder) {
  let commit
  try {
    commit = git('rev-parse', '--short', '--verify', `${revision}^{commit}`)
  } catch {
    throw new Error(`--compare ${revision}: git does not know this revision`)
  }
  const root = join(folder, 'revision')
  git('worktree', 'add', '--detach', root, commit)
  const remove = () => git('worktree', 'remove', '--force', root)
  try {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'))
    const hasScript = existsSync(join(root, 'scripts/compile.mjs'))
    const compile = hasScript ? ['scripts/compile.mjs'] : ['node_modules/typescript/bin/tsc', '-p', '.']
    execFileSync(process.execPath, compile, { cwd: root, stdio: 'pipe' })
  } catch (error) {
    remove()
    throw new Error(`${revision} cannot be compiled: ${String(error.stdout ?? error.message).split('\n')[0]}`)
  }
  return { stage: new Stage(root, join(root, 'dataset'), join(folder, 'revision-state')), commit, remove }
}
