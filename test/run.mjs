/**
 * npm test runs this: every test, with coverage. The thresholds are those of package.json where uWebSockets.js loads. Where it does
 * not, its engine and the threads that need it are never run, and somewhat less of the program is covered.
 */
import { spawnSync } from 'node:child_process'
import { decideEngine } from '../dist/src/http/engines.js'
import './typescript/fill.mjs'

const WITHOUT_UWS = ['--lines=97', '--statements=97', '--functions=96', '--branches=94']

const engine = decideEngine('auto')
const thresholds = engine.name === 'uws' ? [] : WITHOUT_UWS
if (engine.name === 'node') console.log(`# on node:http alone: ${engine.reason}`)
const tap = new URL('../node_modules/.bin/tap', import.meta.url).pathname
const { status } = spawnSync(
  tap,
  ['--no-disable-coverage', '--coverage-report=text-summary', ...thresholds, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
