/** The protocol's official inspector, from its command line, with both transports. It needs a newer Node than hsapi does. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { builtSnapshot, MAIN, prepared, run, startServe } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const NODE_MIN = [22, 19] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])
const skip = isNewEnough ? false : `needs Node ${NODE_MIN.join('.')}`

const execute = promisify(execFile)

/** The path where it was installed; undefined if the registry is unreachable. */
async function installed(folder: string): Promise<string | undefined> {
  const options = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder, INSPECTOR]
  await execute('npm', options).catch(() => undefined)
  const program = join(folder, 'node_modules', '.bin', 'mcp-inspector')
  return existsSync(program) ? program : undefined
}

t.test('the inspector lists and calls the tools, over standard input and over HTTP', { skip }, async t => {
  const program = await installed(temporaryDirectory(t))
  if (program === undefined) return void t.pass('both transports', { skip: 'the inspector could not be installed here' })
  const ask = async (...args: string[]) => JSON.parse((await execute(program, ['--cli', ...args])).stdout)
  const env = { ...(await prepared(t)), HSAPI_MCP: 'on' }
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
  const { url } = await startServe(t, env)
  const ways = [
    [process.execPath, MAIN, 'mcp', '-e', `HSAPI_SNAPSHOT=${await builtSnapshot(t)}`],
    [`${url}/mcp`, '--transport', 'http', '--header', `X-Api-Key: ${key}`],
  ]
  for (const way of ways) {
    const { tools } = await ask(...way, '--method', 'tools/list')
    t.ok(tools.some(({ name }: { name: string }) => name === 'classify_goods'))
    const call = ['--method', 'tools/call', '--tool-name', 'get_hs_code', '--tool-arg', 'code=8517']
    t.match(await ask(...way, ...call), { content: [{ type: 'text', text: /^8517/ }] })
  }
})
