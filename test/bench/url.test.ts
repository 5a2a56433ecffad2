/** Runs the benchmark as a separate process against a real server and checks its refusals, results and exit codes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { prepared, ROOT, run, startServe } from '../support/cli.js'
import { runProgram } from '../support/program.js'
import { temporaryDirectory } from '../support/service.js'

const bench = (...args: string[]) => runProgram(process.execPath, [join(ROOT, 'bench/run.mjs'), ...args])

t.test('invalid options are refused with a message and exit code 2', async t => {
  const url = ['--url', 'http://127.0.0.1:1']
  const keyed = [...url, '--key', 'k']
  for (const [args, message] of [
    [['--p99', '5ms'], /--p99 is only for --url/],
    [['--find-limit'], /--find-limit is only for --url/],
    [url, /--key is missing/],
    [[...keyed, '--p99', '5'], /--p99 is "5"; it must have the form 5ms or 0.5s/],
    [[...keyed, '--errors', '0.1'], /--errors is "0.1"; it must have the form 0.1%/],
    [[...keyed, '--key', 'l'], /--key is given 2 times, --url only 1/],
    [[...keyed, ...url, ...url], /--url may be given twice at most/],
    [['--url', 'ftp://h', '--key', 'k'], /--url is "ftp:\/\/h"; it must be an address/],
    [[...keyed, '--rate', '5', '--connections', '5'], /--rate and --connections exclude each other/],
    [[...keyed, '--find-limit', '--rounds', '5'], /--rounds and --find-limit exclude each other/],
    [[...keyed, '--quick'], /--quick and --url exclude each other/],
    [[...keyed, '--rounds', '21'], /--rounds is "21"; it must be a whole number from 1 to 20/],
  ] as [string[], RegExp][]) {
    const { code, output } = await bench(...args)
    t.equal(code, 2, output)
    t.match(output, message)
  }
})

t.test('the exit code is 3 if a threshold is missed, and 1 if the server is unreachable or does not know the key', async t => {
  // the benchmark takes the codes of its requests from the shipped dataset, so the server must have it too
  const env = {
    HSAPI_DATA_DIR: (await prepared(t)).HSAPI_DATA_DIR,
    HSAPI_SNAPSHOT: join(ROOT, 'dist/hs.snapshot'),
  }
  const built = await run(['build', '--if-changed'])
  t.equal(built.code, 0, built.stderr)
  const limits = ['--per-minute', '2000000000', '--per-day', '2000000000', '--json']
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', ...limits], env)).stdout)
  const small = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout).key
  const { url } = await startServe(t, env)
  const load = ['--url', url, '--key', key]
  const short = ['--rate', '100', '--seconds', '1']

  const held = await bench(...load, ...short, '--p99', '60s', '--errors', '1%')
  t.equal(held.code, 0, held.output)
  t.match(held.output, /open loop: 100 of 100 requests answered[\s\S]*errors: 0.000 %/)

  const broken = await bench(...load, '--connections', '2', '--requests', '50', '--p99', '1us')
  t.equal(broken.code, 3, broken.output)
  t.match(broken.output, /closed loop: 50 requests answered[\s\S]*Failed: http:\S+: p99 is [\d.]+ ms, not 0.001 ms/)

  const refused = await bench('--url', url, '--key', small, ...short, '--errors', '0')
  t.equal(refused.code, 3, refused.output)
  t.match(refused.output, /Failed: http:\S+: errors is \d+(\.\d+)? %, not 0 %/)
  t.match(refused.output, /429: the limits of the key were reached/)

  t.match(await bench('--url', 'http://127.0.0.1:1', '--key', 'k'), { code: 1, output: /ECONNREFUSED/ })
  const unknown = await bench('--url', url, '--key', 'k')
  t.match(unknown, { code: 1, output: /does not know this key \(401\)\n$/ })

  const out = join(temporaryDirectory(t), 'report')
  const two = await bench(...load, '--url', `${url}/`, ...short, '--rounds', '2', '--out', out)
  t.equal(two.code, 0, two.output)
  t.match(two.output, /\/ is (the same as|faster than|slower than) http/)
  t.match(JSON.parse(readFileSync(join(out, 'deployment.json'), 'utf8')), {
    load: { servers: [{ id: 'first', p99s: [Number, Number] }, { id: 'second' }] },
  })
  t.match(readFileSync(join(out, 'deployment.html'), 'utf8'), /<svg[\s\S]*Latency percentiles/)

  const limit = await bench(...load, '--find-limit', '--seconds', '1', '--p99', '1us', '--out', out)
  t.equal(limit.code, 3, limit.output)
  t.match(limit.output, /Even 100 requests a second are too many/)
  t.match(readFileSync(join(out, 'deployment.md'), 'utf8'), /## Load, step by step/)
})
