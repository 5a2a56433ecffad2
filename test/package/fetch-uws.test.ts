/** Tests the script that fetches the binary for 64-bit Arm. Node pretends to run on Arm, and npm is replaced. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const SCRIPT = 'deploy/fetch-uws.mjs'
const PRETEND_ARM = `data:text/javascript,Object.defineProperty(process,'arch',{value:'arm64'})`
const MAJOR = process.versions.node.split('.')[0]
const PACKAGE = `@uwsjs/linux-arm64-${MAJOR}`

/** Creates an installed hsapi, and a replacement of npm whose `pack` returns an archive with fake binaries. */
function prepareInstall(t: Test): { installed: string; install(): string; hasFetched(): boolean } {
  const folder = temporaryDirectory(t)
  const installed = join(folder, 'node_modules/hsapi')
  mkdirSync(join(installed, 'dist/src/engines'), { recursive: true })
  cpSync(join(ROOT, SCRIPT), join(installed, SCRIPT), { recursive: true })
  const forged = join(folder, 'package')
  mkdirSync(forged)
  for (const [file] of readFileSync(join(ROOT, SCRIPT), 'utf8').matchAll(/uws_\w+\.node/g)) {
    writeFileSync(join(forged, file), 'forged')
  }
  execFileSync('tar', ['-czf', join(folder, 'forged.tgz'), '-C', folder, 'package'])
  const npm = join(folder, 'npm.mjs')
  writeFileSync(
    npm,
    `import { copyFileSync, writeFileSync } from 'node:fs'
    writeFileSync('${folder}/fetched', '')
    copyFileSync('${folder}/forged.tgz', process.argv.at(-1) + '/forged.tgz')
    console.log('forged.tgz')`,
  )
  return {
    installed,
    install: () => {
      const env = { PATH: process.env.PATH ?? '', npm_execpath: npm }
      const { status, stderr } = spawnSync(process.execPath, ['--import', PRETEND_ARM, SCRIPT], {
        cwd: installed,
        env,
        encoding: 'utf8',
      })
      t.equal(status, 0, 'the script exits with code 0, so that the installation continues')
      return stderr
    },
    hasFetched: () => existsSync(join(folder, 'fetched')),
  }
}

const listed = readFileSync(join(ROOT, SCRIPT), 'utf8').includes(`'linux-arm64-${MAJOR}'`)

t.test('a binary with a wrong checksum is refused and not written', { skip: !listed }, async t => {
  const { installed, install, hasFetched } = prepareInstall(t)
  t.match(install(), /could not be fetched: uws_linux_arm64_\d+\.node of uwebsockets@\S+ has the unexpected checksum/)
  t.ok(hasFetched())
  t.notOk(existsSync(join(installed, 'dist/node_modules')))
  t.notOk(existsSync(join(installed, 'node_modules')))
})

t.test('a binary that exists in either folder is not fetched again', async t => {
  for (const place of ['node_modules', 'dist/node_modules']) {
    const { installed, install, hasFetched } = prepareInstall(t)
    const folder = join(installed, place, PACKAGE)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: PACKAGE, main: 'uws.node' }))
    writeFileSync(join(folder, 'uws.node'), 'here')
    t.equal(install(), '')
    t.notOk(hasFetched(), `nothing is fetched if the binary is in ${place}`)
  }
})

t.test('docs/dependencies.md names the upstream tag of every binary', async t => {
  const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8')
  const tags = new Set(readFileSync(join(ROOT, SCRIPT), 'utf8').match(/v20\.\d+\.\d+/g))
  t.ok(tags.size > 0)
  for (const tag of tags) t.ok(page.includes(tag), `the page names ${tag}`)
})
