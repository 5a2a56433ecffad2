import t from 'tap'
import { adviceFor, engineCommand, engineReport, type Platform } from '../../src/commands/engine.js'
import { decideEngine } from '../../src/engines/engines.js'
import { run } from '../support/cli.js'

const DEBIAN_12: Platform = { platform: 'linux', arch: 'x64', node: '22.1.0', glibc: '2.36' }
const missing = Object.assign(new Error("Cannot find module 'x'"), { code: 'MODULE_NOT_FOUND' })
const unfit = Object.assign(new Error('/lib/libc.so.6: version not found'), { code: 'ERR_DLOPEN_FAILED' })

t.test('the advice on how to get the fast engine depends on the machine', async t => {
  const cases: [Partial<Platform>, Error, RegExp][] = [
    [{ platform: 'darwin', arch: 'arm64', glibc: undefined }, missing, /^There is no binary for darwin on arm64/],
    [{ platform: 'win32', glibc: undefined }, missing, /^There is no binary for win32 on x64/],
    [{ arch: 'riscv64' }, missing, /^There is no binary for linux on riscv64/],
    [{ glibc: undefined }, missing, /^The binaries need glibc.*musl/],
    [{}, missing, /^Install the binary beside hsapi: npm install @uwsjs\/linux-x64-22@20\.\d+\.\d+$/],
    [
      { node: '24.1.0' },
      missing,
      /^The binary for Node 24 needs glibc 2\.38 .* this system has 2\.36\. For Node 20 and 22, 2\.27 is enough/,
    ],
    [{ node: '24.1.0', glibc: '2.41' }, missing, /^Install the binary.*linux-x64-24@/],
    [{ node: '23.0.0' }, missing, /^There is no binary for Node 23\.0\.0: use 22 or 24\.$/],
    [{ arch: 'arm64', node: '20.1.0' }, missing, /^Fetch the binary: hsapi engine --fetch$/],
    [{ arch: 'arm64' }, missing, /^The binary for Node 22 needs glibc 2\.38 .*For Node 20, 2\.27 is enough/],
    [{ node: '24.1.0' }, unfit, /needs glibc 2\.38/],
    [{}, unfit, /^The binary is installed but does not load: a container/],
  ]
  for (const [change, error, expected] of cases)
    t.match(adviceFor({ ...DEBIAN_12, ...change }, error), expected, JSON.stringify(change))
})

t.test('the report names the engine and why it is used', async t => {
  const fails = () => {
    throw missing
  }
  t.match(engineReport('auto', DEBIAN_12, fails), {
    engine: 'node:http',
    version: null,
    because: /^slower, because the npm package \S+ cannot be loaded \(Cannot find module/,
    platform: 'linux x64',
    node: '22.1.0',
    glibc: '2.36',
    advice: /^Install the binary/,
  })
  t.match(
    engineReport('node', DEBIAN_12, () => {}),
    { engine: 'node:http', advice: 'Unset HSAPI_ENGINE.' },
  )
  t.match(engineReport('node', { ...DEBIAN_12, glibc: undefined }, fails), { glibc: null, advice: /glibc/ })
  t.throws(() => engineReport('uws', DEBIAN_12, fails), /HSAPI_ENGINE is uws, but/)
})

t.test('the command reports which engine a server would use on this machine', async t => {
  const { name } = decideEngine('auto')
  const lines: string[] = []
  await engineCommand.run({}, [], line => lines.push(line))
  t.match(lines[0], name === 'uws' ? /^engine +uWebSockets\.js 20\./ : /^engine +node:http$/)
  t.match(lines.join('\n'), `Node ${process.versions.node}`)
  const json: string[] = []
  await engineCommand.run({ json: true, fetch: true }, [], line => json.push(line))
  t.equal(json.length, 1)
  t.equal(JSON.parse(json[0] as string).engine, name === 'uws' ? 'uWebSockets.js' : 'node:http')
  const fetched: string[] = []
  await engineCommand.run({ fetch: true }, [], line => fetched.push(line))
  t.match(fetched[0], /^(There is no binary to fetch|The binary is already there|The binary was fetched)/)
})

t.test('on node:http, the command reports the disadvantage and the alternative', async t => {
  const { code, stdout } = await run(['engine'], { HSAPI_ENGINE: 'node' })
  t.equal(code, 0)
  t.match(stdout, /^engine +node:http\nbecause +set by HSAPI_ENGINE\n.*^drawbacks +.*CPU.*^instead +\S/ms)
})
