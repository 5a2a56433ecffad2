/** Reads the fenced blocks of a page and runs their commands. docs/development.md has the rules. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Test } from 'tap'
import { ROOT } from './cli.js'
import { freePort } from './redis.js'
import { temporaryDirectory } from './service.js'
import { until } from './until.js'

export interface Block {
  line: number
  language: string
  /** The HTML comment above the block: `not run: REASON`, `file: NAME`, or `needs: PROGRAMS` (that some machines lack). */
  note: string
  text: string
}

export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^(?:<!-- ([^\n]+) -->\n)?```(\w*)\n(.*?)^```$/gms)].map(found => ({
    line: text.slice(0, found.index).split('\n').length,
    note: found[1] ?? '',
    language: found[2] ?? '',
    text: found[3] ?? '',
  }))
}

/** Returns the text without fenced blocks. */
export const proseOf = (text: string) => text.replace(/^```.*?^```$/gms, '')

/** Returns the targets of links and images in a page, except those in code. */
export function linksIn(text: string): string[] {
  const words = proseOf(text).replace(/`[^`\n]*`/g, 'code')
  return [...words.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

export const isRelative = (target: string) => !/^[a-z]+:/.test(target)

const NEEDS = 'needs: '
/** Extensions of programs, with a command that succeeds if the extension is installed. */
const EXTENSIONS: Readonly<Record<string, string>> = { 'php-curl': 'php -m | grep -qx curl' }

/** Returns the first program that a block needs and that is not installed, if any. */
export function missingProgram({ note }: Block): string | undefined {
  if (!note.startsWith(NEEDS)) return undefined
  const isInstalled = (name: string) => spawnSync('sh', ['-c', EXTENSIONS[name] ?? `command -v ${name}`]).status === 0
  return note
    .slice(NEEDS.length)
    .split(' ')
    .find(name => !isInstalled(name))
}

/** Replaces values that differ between runs, so that texts can be compared. */
export function normalise(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\+00:00|Z)/g, 'TIME')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DATE')
    .replace(/\bhs_(free|basic|pro)_[\w…-]+/g, 'hs_$1_KEY')
    .replace(/\bKey \S{10} \(/g, 'Key ID (')
    .replace(/(?<![\d.])\d+\.\d+\.\d+(?![\d.])/g, 'VERSION')
    .replace(/\d[\d.]* ?(ms|µs|s)\b/g, 'DURATION')
    .replace(/[ \t\r]+$/gm, '')
    .trim()
}

/**
 * Returns whether the real output matches the shown one. In the shown output, `…` matches any characters; alone on a line, it
 * matches any number of lines.
 */
export function isShown(shown: string, real: string): boolean {
  const escaped = normalise(shown).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = `${escaped}\n`.replace(/^…\n/gm, '(?:.*\\n)*').replaceAll('…', '.*')
  return new RegExp(`^${pattern}$`).test(`${normalise(real)}\n`)
}

/** Above this sentence, the JSON blocks of a page show whole responses; below it, only their `data`. */
const ONLY_DATA = 'The examples on this page show only the `data` of each response.'

export function showsOnlyData(page: string, { line }: Block): boolean {
  const at = readFileSync(join(ROOT, page), 'utf8').split('\n').indexOf(ONLY_DATA)
  return at >= 0 && at < line
}

/** Returns both sides as compact text for a comparison. In a string of the shown JSON, `…` matches any characters. */
export function jsonPair(shown: string, real: string, onlyData: boolean): [string, string] {
  const [expected, response] = [JSON.parse(shown), JSON.parse(real)]
  // an error has no data, so pages show the whole response
  const isPart = onlyData && !(typeof expected === 'object' && 'success' in expected)
  const [first, second] = [expected, isPart ? response.data : response].map(value => normalise(JSON.stringify(value))) as [
    string,
    string,
  ]
  const pattern = first.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^"]*')
  return new RegExp(`^${pattern}$`).test(second) ? [first, first] : [first, second]
}

const COPIED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'src',
  'build',
  'scripts',
  'dataset',
  'deploy',
  'docs',
  'clients',
  'bench',
  'dist',
]
/** Ports in the pages. They are replaced by free ones for each page. */
const PORTS = ['8080', '8081', '9090', '6379']
const SERVER = /(hsapi serve|npm start)\s*$/
/** Returns whether a command starts the default server, which replaces the previous one. Other servers run next to it. */
const isDefault = (text: string) => !/HSAPI_(PORT|DATA_DIR)=/.test(text)
const TIMEOUT_MS = 180_000

/** Copies the checkout, because the commands of pages replace the snapshot and write files. */
export function copyCheckout(t: Test): string {
  const folder = join(temporaryDirectory(t), 'hsapi')
  const isCopied = (path: string) => basename(path) !== 'node_modules'
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true, filter: isCopied })
  for (const name of ['node_modules', 'bench/node_modules'])
    if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(folder, name))
  const home = join(folder, '../home')
  mkdirSync(join(home, 'bin'), { recursive: true })
  // curl prints its progress if the output is not a terminal
  writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\n')
  const node = dirname(process.execPath)
  const script = (name: string, body: string) => writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  // npm ci does nothing, because packages are installed; npx hsapi starts at once instead of after a second
  script('npm', `[ "$1" = ci ] && exit 0; exec ${spawnSync('which', ['npm'], { encoding: 'utf8' }).stdout.trim()} "$@"`)
  script('npx', `[ "$1" = hsapi ] || exit 127; shift; exec ${node}/node ${folder}/dist/src/main.js "$@"`)
  return folder
}

interface Server {
  child: ChildProcess
  ended: Promise<unknown>
  isDefault: boolean
}

/** Runs the commands of one page. Exported variables and the working directory last until the end of the page. */
export class Terminal {
  #env: Record<string, string>
  #servers: Server[] = []
  #key = ''
  #id = ''
  #logs = 0

  private constructor(
    readonly checkout: string,
    readonly ports: Map<string, number>,
  ) {
    const home = join(checkout, '../home')
    const PATH = [join(home, 'bin'), dirname(process.execPath), process.env.PATH].join(':')
    this.#env = { PATH, HOME: home, PWD: checkout, LANG: 'C.UTF-8', npm_config_loglevel: 'error', npm_config_offline: 'true' }
    this.#env.HSAPI_PORT = String(ports.get('8080'))
  }

  static async open(checkout: string, redisPort: number | undefined): Promise<Terminal> {
    const ports = new Map<string, number>()
    for (const port of PORTS) ports.set(port, await freePort())
    if (redisPort !== undefined) ports.set('6379', redisPort)
    return new Terminal(checkout, ports)
  }

  async writeFile(name: string, text: string): Promise<void> {
    await this.#prepare(text)
    writeFileSync(join(this.#env.PWD as string, name), this.#filledIn(text))
  }

  /**
   * Runs a block and returns its output. If the block starts a server, waits until the server has printed `shown` or, if
   * `shown` is empty, until the server is ready.
   */
  async run(text: string, shown: string): Promise<{ code: number | null; output: string }> {
    const isServer = SERVER.test(text)
    if (!isServer) await this.#prepare(text)
    else if (isDefault(text)) await this.#stop(server => server.isDefault)
    const { child, log, ended } = this.#start(text)
    if (isServer) {
      this.#servers.push({ child, ended, isDefault: isDefault(text) })
      const isReady = () => (shown === '' ? /hsapi is ready on/.test(this.#read(log)) : isShown(shown, this.#read(log)))
      await until('a server is ready', () => child.exitCode !== null || isReady()).catch(() => {})
      return { code: child.exitCode ?? 0, output: this.#read(log) }
    }
    const code = await ended
    const state = `${log}.env`
    if (existsSync(state)) this.#env = Object.fromEntries(readFileSync(state, 'utf8').split('\0').filter(Boolean).map(split))
    return { code, output: this.#read(log) }
  }

  /** Stops the servers and restores the checkout. */
  async close(): Promise<void> {
    await this.#stop(() => true)
    const copied = new Set([...COPIED, 'node_modules'])
    for (const name of readdirSync(this.checkout))
      if (!copied.has(name)) rmSync(join(this.checkout, name), { recursive: true, force: true })
    rmSync(join(this.checkout, 'dist/hs.snapshot'))
    copyFileSync(join(ROOT, 'dist/hs.snapshot'), join(this.checkout, 'dist/hs.snapshot'))
  }

  /** Creates a key and starts a server if the text uses them, because pages mention only once that they are needed. */
  async #prepare(text: string): Promise<void> {
    if (/\$KEY|env(?:iron)?\W{1,2}KEY/i.test(text) && this.#env.KEY === undefined && !text.includes('KEY=')) {
      const { output } = await this.run('npx hsapi keys create --tier pro', '')
      this.#env.KEY = /^hs_\S+$/m.exec(output)?.[0] ?? ''
    }
    if (/127\.0\.0\.1:8080|hsapi (health|reload)/.test(text) && this.#servers.length === 0) await this.run('npx hsapi serve', '')
  }

  #start(text: string): { child: ChildProcess; log: string; ended: Promise<number | null> } {
    const log = join(this.checkout, '..', `block-${++this.#logs}.log`)
    const file = openSync(log, 'w')
    // SIGTERM goes to bash and the server; with a trap, bash waits until the server has ended
    const script = `trap : TERM\n${this.#filledIn(text)}\nenv -0 >${log}.env`
    const child = spawn('bash', ['-e', '-c', script], {
      cwd: this.#env.PWD,
      env: this.#env,
      stdio: ['ignore', file, file],
      detached: true,
      timeout: TIMEOUT_MS,
    })
    closeSync(file)
    return { child, log, ended: new Promise(done => child.once('close', code => done(code))) }
  }

  /** Replaces the placeholders for key, id and checkout, and the ports. */
  #filledIn(text: string): string {
    let filled = text.replaceAll('/path/to/hsapi', this.checkout).replace(/hs_\w+_…/g, this.#key)
    filled = filled.replace(/\bID\b/g, this.#id)
    for (const [port, real] of this.ports) filled = filled.replace(new RegExp(`\\b${port}\\b`, 'g'), String(real))
    return filled
  }

  #read(log: string): string {
    let output = readFileSync(log, 'utf8')
    this.#key = output.match(/\bhs_(?:free|basic|pro)_\w{20,}/g)?.at(-1) ?? this.#key
    this.#id = /^Key (\S{10}) \(/m.exec(output)?.[1] ?? this.#id
    for (const [port, real] of this.ports) output = output.replaceAll(String(real), port)
    return output.replaceAll(this.checkout, '/path/to/hsapi')
  }

  async #stop(isStopped: (server: Server) => boolean): Promise<void> {
    const stopped = this.#servers.filter(isStopped)
    this.#servers = this.#servers.filter(server => !isStopped(server))
    for (const { child, ended } of stopped) {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  }
}

const split = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}
