/** Runs each recipe for two seconds if its tool is installed. Recipes of other tools are checked without running them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { transform } from 'esbuild'
import t from 'tap'
import { MAIN, prepared, ROOT, run, startServe } from '../support/cli.js'
import { runProgram } from '../support/program.js'
import { temporaryDirectory } from '../support/service.js'
import { typeErrors } from '../support/type-errors.js'

const RECIPES = join(ROOT, 'bench/recipes')
const isInstalled = (tool: string) => spawnSync('which', [tool]).status === 0
const skipWithout = (tool: string) => (isInstalled(tool) ? false : `${tool} is not installed`)

const env = await prepared(t)
const created = await run(
  ['keys', 'create', '--tier', 'pro', '--per-minute', '2000000000', '--per-day', '2000000000', '--json'],
  env,
)
const { key } = JSON.parse(created.stdout)
const server = await startServe(t, env)
const folder = temporaryDirectory(t)
const feed = join(folder, 'mix.csv')
const generated = await run(['feed', '--kind', 'urls', '--count', '3000', '--out', feed], env)
t.equal(generated.code, 0, generated.stderr)

/** Any machine meets these thresholds: the tests are about the recipes, not about speed. */
const LOOSE_THRESHOLDS = { P99_MS: '60000', ERRORS: '5' }
const UNREACHABLE_THRESHOLDS = { P99_MS: '0.000001', ERRORS: '0' }

const start = (command: string, args: string[], more: Record<string, string>) =>
  runProgram(command, args, {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    ...env,
    HSAPI: `${process.execPath} ${MAIN}`,
    URL: server.url,
    KEY: key,
    FEED: feed,
    RATE: '100',
    WARM: '1',
    DURATION: '2',
    ...more,
  })

const LOCUST = ['-f', join(RECIPES, 'locust.py'), '--headless', '-u', '4', '-r', '4', '-t', '3s', '-H', server.url]
const TOOLS: [tool: string, command: string, args: string[]][] = [
  ['wrk', 'wrk', ['-t', '2', '-c', '8', '-d', '2s', '-s', join(RECIPES, 'wrk.lua'), server.url]],
  ['hey', join(RECIPES, 'hey.sh'), []],
  ['locust', 'locust', LOCUST],
  ['node', process.execPath, [join(RECIPES, 'autocannon.mjs')]],
]

for (const [tool, command, args] of TOOLS) {
  const name = tool === 'node' ? 'autocannon' : tool
  t.test(`${name}: the exit code is 0 if the thresholds are met, otherwise 1`, { skip: skipWithout(tool) }, async t => {
    const held = await start(command, args, LOOSE_THRESHOLDS)
    t.equal(held.code, 0, held.output)
    t.match(held.output, /^held: .*p99 [\d.]+ ms \(at most 60000\), errors 0\.000 %/m)
    const broken = await start(command, args, UNREACHABLE_THRESHOLDS)
    t.equal(broken.code, 1, broken.output)
    t.match(broken.output, /^BROKEN: /m)
  })
}

/** Installs a script in place of the tool. The script can check its arguments and prints output like the tool. */
function replaceTool(name: string, script: string): Record<string, string> {
  const file = join(folder, name)
  writeFileSync(file, `#!/usr/bin/env bash\nset -eu\n${script}\n`)
  chmodSync(file, 0o755)
  return { PATH: `${folder}:${process.env.PATH ?? ''}` }
}

t.test(
  'oha: the recipe passes the right options, and reads the JSON output',
  { skip: isInstalled('oha') && 'oha is installed' },
  async t => {
    const report = (statuses: object, p99: number) =>
      JSON.stringify({
        latencyPercentiles: { p99 },
        statusCodeDistribution: statuses,
        errorDistribution: { 'aborted due to deadline': 3 },
      })
    const script = (json: string) =>
      `urls=\${*: -1}; grep -q "^${server.url}/api/v1/" "$urls"
[[ "$*" == "--no-tui --output-format json --urls-from-file -q 100 --latency-correction -c 64 -z "?"s -H X-Api-Key: ${key} $urls" ]]
echo '${json}'`
    const good = await start(join(RECIPES, 'oha.sh'), [], replaceTool('oha', script(report({ 200: 96, 400: 3, 404: 1 }, 0.004))))
    t.match(good, {
      code: 0,
      output: /^held: 100 requests, p99 4\.00 ms \(at most 50\), errors 0\.000 % \(at most 0\.1\)$/m,
    })
    const slow = await start(join(RECIPES, 'oha.sh'), [], replaceTool('oha', script(report({ 200: 100 }, 0.4))))
    t.match(slow, { code: 1, output: /^BROKEN: 100 requests, p99 400\.00 ms/m })
    const refused = await start(join(RECIPES, 'oha.sh'), [], replaceTool('oha', script(report({ 200: 50, 429: 50 }, 0.001))))
    t.match(refused, { code: 1, output: /errors 50.000 %/ })
  },
)

t.test(
  'vegeta: the recipe passes the targets, and reads the report',
  { skip: isInstalled('vegeta') && 'vegeta is installed' },
  async t => {
    const script = (statuses: object) =>
      `case "$1 \${3:-}" in
  attack*) grep -qE '^GET ${server.url}/api/v1/' "$3"; echo results ;;
  'report text') echo 'Requests [total]' ;;
  'report json') echo '${JSON.stringify({ latencies: { '99th': 2_500_000 }, requests: 200, status_codes: statuses })}' ;;
esac`
    const good = await start(join(RECIPES, 'vegeta.sh'), [], replaceTool('vegeta', script({ 200: 190, 404: 10 })))
    t.match(good, { code: 0, output: /held: 200 requests, p99 2.50 ms \(at most 50\), errors 0.000 %/ })
    const lost = await start(join(RECIPES, 'vegeta.sh'), [], replaceTool('vegeta', script({ 0: 2, 200: 198 })))
    t.match(lost, { code: 1, output: /BROKEN: .*errors 1.000 %/ })
  },
)

t.test('vegeta: each target is a request line and an empty line', async t => {
  const args = ['feed', '--kind', 'urls', '--format', 'vegeta', '--url', server.url, '--count', '500']
  const { stdout } = await run(args, env)
  const targets = stdout.split('\n\n')
  t.equal(targets.pop(), '')
  t.equal(targets.length, 500)
  for (const target of targets) {
    const [method, url = '', ...rest] = target.split(' ')
    if (method !== 'GET' || rest.length > 0 || !URL.canParse(url)) t.fail(target)
  }
})

t.test('k6: the recipe has no type errors with the types of k6', async t => {
  const options = {
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['k6'],
    typeRoots: [join(ROOT, 'bench/node_modules/@types')],
  }
  const found = await typeErrors(t, options, { files: [join(RECIPES, 'k6.js')] })
  t.strictSame(found, [])
})

t.test('the Gatling recipe and the scripts can be parsed', async t => {
  const source = readFileSync(join(RECIPES, 'gatling.js'), 'utf8')
  const { warnings } = await transform(source, { loader: 'js' })
  t.strictSame(warnings, [])
  for (const name of ['oha.sh', 'vegeta.sh', 'hey.sh'])
    t.equal(spawnSync('bash', ['-n', join(RECIPES, name)]).status, 0, `${name} can be parsed`)
})

t.test('each recipe has a note that says whether this test runs it, and the page lists all recipes', async t => {
  const page = readFileSync(join(RECIPES, 'README.md'), 'utf8')
  for (const name of ['k6.js', 'wrk.lua', 'oha.sh', 'vegeta.sh', 'autocannon.mjs', 'hey.sh', 'gatling.js', 'locust.py']) {
    t.match(
      readFileSync(join(RECIPES, name), 'utf8'),
      /(?:run|tested) in test\/recipes|not run here|not tested with/i,
      `${name} has the note`,
    )
    t.ok(page.includes(`| \`${name}\` |`), `the page lists ${name}`)
  }
  t.ok(createRequire(join(RECIPES, 'autocannon.mjs')).resolve('autocannon'))
})
