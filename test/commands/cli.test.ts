import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { TABLE } from '../../src/settings/table.js'
import { FORMAT_VERSION } from '../../src/snapshot/format.js'
import { ROOT, run } from '../support/cli.js'
import { FIXTURE, temporaryDirectory } from '../support/service.js'

t.test('help is printed for the program and for each command', async t => {
  for (const args of [[], ['--help'], ['help'], ['build', '-h'], ['keys', 'create', '--help'], ['keys', 'move', '--help']]) {
    const { code, stdout, stderr } = await run(args)
    t.equal(code, 0, args.join(' '))
    t.match(stdout, /Usage: hsapi/)
    t.equal(stderr, '')
  }
  const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8')
  const commands = (await run([])).stdout.match(/(?<=^ {2})[a-z]+(?= )/gm) ?? []
  t.ok(commands.length > 8)
  for (const name of commands) {
    const { code, stdout, stderr } = await run([name, '--help'])
    t.match({ code, stderr }, { code: 0, stderr: '' }, name)
    t.ok(stdout.startsWith(`Usage: hsapi ${name}`), `the help is that of ${name}`)
    t.match(page, `| \`npx hsapi ${name}`, `${name} is in docs/cli.md`)
  }
  const { stdout } = await run(['serve', '--help'])
  for (const { name } of Object.values(TABLE)) t.match(stdout, new RegExp(`^  ${name}\\s`, 'm'), `${name} is in the help`)
  t.match((await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/)
})

t.test('a usage error prints one line that names it, and exits with 2', async t => {
  const dataDir = temporaryDirectory(t)
  for (const [args, message, env = {}] of [
    [['serv'], /unknown command "serv"; did you mean serve\? see "hsapi --help"/],
    [['tariff', '0902', '--contry', 'SA'], /Unknown option '--contry'; did you mean --country\? see "hsapi tariff --help"/],
    [['tariff', '0902', '--discount', '5'], /Unknown option '--discount'; see "hsapi tariff --help"/],
    [['keys'], /keys needs one of create, list, show, revoke, rotate, move;/],
    [['keys', 'make'], /unknown command "keys make"/],
    [['serve', '--port', '1'], /--port/],
    [['build', 'now'], /unexpected argument "now"/],
    [['build', '--dataset'], /--dataset/],
    [['build', '--dataset', '/nowhere'], /^hsapi: \/nowhere: no dataset can be read here: there is no \/nowhere\/chapters$/m],
    [['check', '--dataset', '/nowhere'], /\/nowhere/],
    [['build', '--dataset', FIXTURE, '--out', '/proc/none/x'], /\/proc\/none/],
    [['build', '--dataset', FIXTURE, '--out', '/dev/null/x'], /\/dev\/null\/x/],
    [['keys', 'create'], /--tier is missing: free, basic, pro/],
    [['keys', 'create', '--tier', 'gold'], /--tier is "gold"/],
    [['keys', 'create', '--tier', 'free', '--expires', '2026-02-30'], /--expires is "2026-02-30"/],
    [['keys', 'create', '--tier', 'free', '--expires', 'soon'], /--expires/],
    [['keys', 'create', '--tier', 'free', '--expires', '2020-01-31'], /--expires is 2020-01-31, which has passed/],
    [['keys', 'create', '--tier', 'free', '--per-minute', '-1'], /per-minute/],
    [['keys', 'create', '--tier', 'free', '--per-day', '5e3'], /--per-day is "5e3"/],
    [['keys', 'show'], /ID is missing/],
    [['keys', 'show', 'nobody'], /there is no key nobody/],
    [['keys', 'revoke', 'nobody'], /there is no key nobody/],
    [['serve'], /HSAPI_PORT is "http"/, { HSAPI_PORT: 'http' }],
    [['serve'], /HSAPI_PORT is "70000"/, { HSAPI_PORT: '70000' }],
    [['serve'], /HSAPI_HOST is set but empty/, { HSAPI_HOST: '' }],
    [['serve'], /HSAPI_WORKERS is "0"/, { HSAPI_WORKERS: '0' }],
    [['serve'], /HSAPI_SNAPSHOT|there is no snapshot/, { HSAPI_SNAPSHOT: '/nowhere/x', HSAPI_PORT: '0' }],
    [['serve'], /HSAPI_DATA_DIR/, { HSAPI_DATA_DIR: '/dev/null/none', HSAPI_PORT: '0' }],
  ] as [string[], RegExp, Record<string, string>?][]) {
    const { code, stderr } = await run(args, { HSAPI_DATA_DIR: dataDir, ...env })
    t.equal(code, 2, args.join(' '))
    t.match(stderr, message, args.join(' '))
    t.equal(stderr.trimEnd().split('\n').length, 1, `${args.join(' ')}: ${stderr}`)
  }
})

t.test('build writes the snapshot, and with --if-changed only when something has changed', async t => {
  const directory = temporaryDirectory(t)
  const dataset = join(directory, 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  const out = join(directory, 'deep', 'hs.snapshot')
  const args = ['build', '--dataset', dataset, '--out', out]
  const first = await run(args)
  t.equal(first.code, 0, first.stderr)
  const lines = first.stdout.trimEnd().split('\n')
  t.match(
    lines[0],
    /hs\.snapshot: compiling .*dataset, about 1 s$/,
    'the first line says what is compiled and how long that takes',
  )
  t.strictSame(
    lines.slice(1, -1).map(line => line.replace(/^.*: /, '')),
    ['reading', 'checking', 'records', 'search index', 'classifier', 'suggestions', 'writing'],
    'a log has a line for each step',
  )
  t.match(lines.at(-1), /records/)
  const bytes = readFileSync(out)
  const again = await run([...args, '--if-changed'])
  t.match(again.stdout, /^\S*hs\.snapshot is up to date\n$/)
  await run(args)
  t.ok(readFileSync(out).equals(bytes), 'the second build writes the same bytes')
  const chapter = join(dataset, 'chapters', '85.csv')
  writeFileSync(chapter, readFileSync(chapter, 'utf8').replace('Smartphones', 'Clever phones'))
  t.match((await run([...args, '--if-changed'])).stdout, /records/)
  t.notOk(readFileSync(out).equals(bytes))
  const latest = readFileSync(out)
  for (const version of [FORMAT_VERSION - 1, FORMAT_VERSION + 1]) {
    const otherFormat = Buffer.from(latest)
    otherFormat.writeUInt32LE(version, 8)
    writeFileSync(out, otherFormat)
    t.match((await run([...args, '--if-changed'])).stdout, /records/, `a snapshot of format ${version} is built again`)
    t.ok(readFileSync(out).equals(latest))
  }
})

t.test('a build of a defective dataset keeps the old snapshot and leaves no incomplete file', async t => {
  const directory = temporaryDirectory(t)
  const dataset = join(directory, 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  const out = join(directory, 'hs.snapshot')
  const chapter = join(dataset, 'chapters', '85.csv')
  writeFileSync(
    chapter,
    readFileSync(chapter, 'utf8').replace('هواتف ذكية', '').replace('852351,', '852321,Again,مرة أخرى,,,,\n852351,'),
  )
  const { code, stderr } = await run(['build', '--dataset', dataset, '--out', out])
  t.equal(code, 2)
  t.match(stderr, /85\.csv:4: the Arabic description is missing/)
  t.match(stderr, /85\.csv:9: 852321 is already at chapters\/85\.csv:7/)
  t.match(stderr, /2 defects; no snapshot was written/)
  t.notOk(existsSync(out))
  t.strictSame(readdirSync(directory), ['dataset'])
  t.equal((await run(['check', '--dataset', dataset])).code, 2)
  t.equal((await run(['check', '--dataset', FIXTURE])).code, 0)
})

t.test('keys can be created, listed, shown, rotated and revoked', async t => {
  const env = { HSAPI_DATA_DIR: temporaryDirectory(t) }
  const json = async (...args: string[]) => JSON.parse((await run(['keys', ...args, '--json'], env)).stdout)
  const made = await json('create', '--tier', 'basic', '--name', 'Acme', '--expires', '2030-01-31', '--per-day', '7')
  t.match(made, { tier: 'basic', name: 'Acme', expires_at: '2030-01-31', per_day: 7, per_minute: 60 })
  t.match(made.key, /^hs_basic_/)
  t.notOk('hash' in made)
  const list = await json('list')
  t.equal(list.length, 1)
  t.notOk(JSON.stringify(list).includes(made.key))
  t.match(await json('show', made.id), { id: made.id, status: 'active' })
  const rotated = await json('rotate', made.id)
  t.not(rotated.key, made.key)
  t.equal((await run(['keys', 'revoke', made.id], env)).code, 0)
  t.match(await json('show', made.id), { status: 'revoked' })
  t.match((await run(['keys', 'list'], env)).stdout, /revoked.*Acme/)
  t.match((await run(['keys', 'create', '--tier', 'free'], env)).stdout, /shown only once:\nhs_free_/)
})
