/**
 * What a user gets who installs the packed program: packing builds it, and an empty folder is enough to run it.
 * The run-time dependencies come out of npm's cache, where `npm ci` has left them, and no network is needed;
 * where that cache was emptied since, the registry is.
 */
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

/** Everything that packing reads. It works on a copy, since it renews dist/ under the feet of other tests. */
const SOURCES = ['package.json', 'tsconfig.json', 'README.md', 'LICENSE', 'src', 'build', 'dataset', 'deploy']

const started = promisify(execFile)

/** npm and what it starts run as for a user: without the coverage that tap asks of every Node. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await started('env', ['-u', 'NODE_OPTIONS', 'npm', ...args], { cwd })
  return stdout
}

async function pack(folder: string): Promise<string> {
  const checkout = join(folder, 'checkout')
  for (const source of SOURCES) cpSync(join(ROOT, source), join(checkout, source), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
  await npm(checkout, 'pack', '--pack-destination', folder)
  const [archive] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  return join(folder, archive as string)
}

/** The very versions of our lock file: npm need not ask the registry which there are. */
function lockRunTimeVersions(home: string): void {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const runTime = Object.entries<{ dev?: boolean }>(lock.packages).filter(
    ([at, { dev }]) => at !== '' && !dev,
  )
  const packages = { '': {}, ...Object.fromEntries(runTime) }
  writeFileSync(join(home, 'package.json'), '{}')
  writeFileSync(
    join(home, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: lock.lockfileVersion, packages }),
  )
}

async function serveAndAsk(t: Test, home: string): Promise<void> {
  const child = spawn(join(home, 'node_modules/.bin/hsapi'), ['serve'], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HSAPI_PORT: '0' },
  })
  const ended = new Promise<number | null>(done => child.on('close', done))
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const look = (data: Buffer) => {
      output += data
      const ready = /ready on (http:\S+)/.exec(output)
      if (ready !== null) resolve(ready[1] as string)
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    ended.then(code => reject(new Error(`serve ended with ${code}: ${output}`)))
  })
  const key = /hs_free_\w+/.exec(output)?.[0] ?? ''
  const answer = await fetch(`${url}/api/v1/hs-codes/852321`, { headers: { 'x-api-key': key } })
  t.equal(answer.status, 200, 'it answers from the snapshot inside the package')
  t.match(await answer.json(), { data: { hs_code: '852321', level: 6 } })
  const page = await fetch(`${url}/`)
  t.match(await page.text(), '<!doctype html>', 'and so do its pages')
  t.ok(existsSync(join(home, 'data/keys.json')), 'the key lies in the working directory')
  child.kill('SIGTERM')
  t.equal(await ended, 0, 'it ends when asked to')
}

t.test('the packed program installs into an empty folder and serves', async t => {
  const folder = temporaryDirectory(t)
  const archive = await pack(folder)
  const home = join(folder, 'home')
  mkdirSync(home)
  lockRunTimeVersions(home)
  await npm(home, 'install', '--prefer-offline', '--no-audit', '--no-fund', archive)
  const modules = join(home, 'node_modules')

  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) t.ok(existsSync(join(modules, name)), `${name} is there`)
  for (const name of Object.keys(devDependencies)) t.notOk(existsSync(join(modules, name)), `${name} is not`)
  t.strictSame(
    readdirSync(join(modules, 'hsapi')).sort(),
    ['LICENSE', 'README.md', 'dataset', 'deploy', 'dist', 'package.json'],
    'nothing is packed that only our checkout needs',
  )
  t.strictSame(readdirSync(join(modules, 'hsapi/dist')).sort(), ['build', 'hs.snapshot', 'src', 'web'])

  await serveAndAsk(t, home)

  writeFileSync(join(home, 'tariff.csv'), 'HS,English,Arabic,Duty\n010121,Horses,خيول,5\n')
  await npm(
    home,
    ...['exec', '--no', '--', 'hsapi', 'import', 'tariff.csv', '--layout', 'generic', '--out', 'my-tariff'],
    ...['--map', 'code=HS,en=English,ar=Arabic,rate=Duty'],
  )
  t.match(
    readFileSync(join(home, 'my-tariff/chapters/01.csv'), 'utf8'),
    /^01,"?Live animals /m,
    'import finds the titles of the shipped dataset',
  )
})
