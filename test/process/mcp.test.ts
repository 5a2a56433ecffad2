import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES } from '../support/service.js'

t.test('with HSAPI_MCP=on, every thread serves agents, and their calls count with other requests', async t => {
  const env = { ...(await prepared(t)), HSAPI_MCP: 'on', HSAPI_WORKERS: ENGINES.includes('uws') ? '2' : '1' }
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
  const { url } = await startServe(t, env)
  const left = async () => {
    const { headers } = await ask(url, '/api/v1/hs-codes/85', { 'x-api-key': key })
    return Number(headers.get('x-ratelimit-remaining-day'))
  }
  const before = await left()
  const sent: Promise<Response>[] = []
  const texts = ['horses', 'cards']
  for (let id = 0; id < 8; id++)
    sent.push(
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'classify_goods', arguments: { texts } },
        }),
      }),
    )
  for (const response of await Promise.all(sent))
    t.match(await response.json(), { result: { structuredContent: { items: [{}, {}] } } })
  t.equal(before - (await left()), 8 * texts.length + 1)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }),
  )
  t.match(await client.callTool({ name: 'get_hs_code', arguments: { code: '85' } }), { structuredContent: { hs_code: '85' } })
  await client.close()
})

t.test('a value of HSAPI_MCP other than on or off prevents the start, with a one-line error', async t => {
  t.match(await run(['serve'], { ...(await prepared(t)), HSAPI_MCP: 'yes' }), {
    code: 2,
    stderr: 'hsapi: HSAPI_MCP is "yes"; it must be one of off, on\n',
  })
})
