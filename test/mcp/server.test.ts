/** `hsapi mcp` as a host runs it: a separate process, the official client, the fixture. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { TOOLS } from '../../src/mcp/tools.js'
import { builtSnapshot, MAIN, ROOT, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

// biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answers
type Json = any

async function connected(t: Test) {
  const snapshot = await builtSnapshot(t)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--snapshot', snapshot],
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  })
  let errorOutput = ''
  transport.stderr?.on('data', data => {
    errorOutput += data
  })
  const errors: Error[] = []
  const client = new Client({ name: 'test', version: '1.0.0' })
  client.onerror = error => errors.push(error)
  await client.connect(transport)
  t.teardown(() => client.close())
  const call = async (name: string, args: object): Promise<Json> =>
    client.callTool({ name, arguments: args as Record<string, unknown> })
  return { client, call, errors, errorOutput: () => errorOutput }
}

const textOf = (answer: Json): string => answer.content[0].text

t.test('a host connects, lists the tools and calls them', async t => {
  const { client, call, errors, errorOutput } = await connected(t)
  t.match(client.getServerVersion(), { name: 'hsapi' })
  t.match(client.getInstructions(), /indicative/)
  const { tools } = await client.listTools()
  t.strictSame(
    tools.map(tool => tool.name),
    [
      'classify_goods',
      'verify_hs_code',
      'compare_hs_codes',
      'get_hs_code',
      'search_hs_codes',
      'resolve_hs_codes',
      'estimate_duty',
      'hs_edition',
    ],
  )
  for (const { description, inputSchema, annotations } of tools) {
    t.match(description, /Use it/)
    t.equal((inputSchema as Json).additionalProperties, false)
    t.equal(annotations?.readOnlyHint, true)
  }
  t.match((await call('search_hs_codes', { query: 'horses' })).structuredContent.results[0].hs_code, /^0101/)
  t.match(await call('search_hs_codes', { query: 'بطاقات', language: 'ar' }), {
    structuredContent: { results: [{ description: /بطاقات/ }] },
  })
  t.match((await call('get_hs_code', { code: '8523.21' })).structuredContent, { hs_code: '852321' })
  t.match((await call('resolve_hs_codes', { codes: ['8523.21'] })).structuredContent.codes, [
    { status: 'normalised', hs_code: '852321' },
  ])
  t.match((await call('estimate_duty', { code: '852321', value: 1000 })).structuredContent, {
    landed_cost: '1050',
  })
  t.match((await call('hs_edition', { edition: '2017', code: '852321' })).structuredContent, {
    relation: 'same',
  })
  t.strictSame(errors, [], 'standard output contains only protocol messages')
  t.match(errorOutput(), /^hsapi mcp: .*Model Context Protocol/, 'messages for people go to standard error')
})

interface HostSetting {
  command?: string
  args?: string[]
  url?: string
  headers?: Record<string, string>
}

/** The settings for every host in docs/agents.md. */
function shownSettings(): HostSetting[] {
  const page = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8')
  const blocks = [...page.matchAll(/^```json\n(.*?)^```/gms)]
  const settings = blocks.map(([, text = '']) => JSON.parse(text))
  const [, line = ''] = /^claude mcp add hsapi -- (.*)$/m.exec(page) ?? []
  const [command = '', ...args] = line.split(' ')
  return [...settings.map(({ mcpServers, servers }) => (mcpServers ?? servers).hsapi), { command, args }]
}

t.test('the settings for hosts in docs/agents.md start the server, or name its path and the header of the key', async t => {
  const settings = shownSettings()
  const local = settings.filter(({ url }) => url === undefined)
  const remote = settings.filter(({ url }) => url !== undefined)
  t.strictSame([local.length, remote.length], [3, 2])
  for (const { url, headers } of remote) t.match({ url, headers }, { url: /:8080\/mcp$/, headers: { 'X-Api-Key': 'KEY' } })
  const env = { PATH: process.env.PATH ?? '', HSAPI_SNAPSHOT: await builtSnapshot(t) }
  for (const { command } of local) t.equal(command, 'node', 'no package with another name is fetched')
  for (const text of new Set(local.map(({ args }) => JSON.stringify(args)))) {
    const args: string[] = JSON.parse(text)
    const here = args.map(arg => arg.replace('/path/to/hsapi/', ROOT))
    const transport = new StdioClientTransport({ command: process.execPath, args: here, env, stderr: 'pipe' })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    t.equal((await client.listTools()).tools.length, TOOLS.length)
    await client.close()
  }
})

t.test('bad arguments and unknown codes are tool errors with a sentence, not failures', async t => {
  const { client, call } = await connected(t)
  for (const [name, args, sentence] of [
    ['search_hs_codes', {}, /query is missing\./],
    ['search_hs_codes', { query: 'x' }, /query must have 2 to 200 characters/],
    ['search_hs_codes', { query: 'horses', limit: 1000 }, /limit must be from 1 to 20\./],
    ['search_hs_codes', { query: 'horses', within: 'tea' }, /within must be a code of 2, 4 or 6 digits/],
    [
      'search_hs_codes',
      { query: 'horses', colour: 'red' },
      /colour is unknown; known parameters are query, level, within, limit, country/,
    ],
    ['search_hs_codes', { query: 'horses', limits: 3 }, /limits is unknown; did you mean limit\?/],
    ['search_hs_codes', { query: 'horses', level: 5 }, /level must be 2, 4, 6, 8, 10 or 12\./],
    ['classify_goods', { texts: ['tea'], country: 'KSA' }, /country must be AE, SA, BH, OM, QA or KW\./],
    ['classify_goods', { text: 'tea' }, /text is unknown; did you mean texts\? The parameter texts is missing\./],
    ['classify_goods', { texts: ['tea', 7] }, /texts\[1\] must be a text\./],
    ['classify_goods', { texts: ['tea'], within: true }, /within must be a text, a whole number or a list\./],
    [
      'verify_hs_code',
      { items: [{ text: 'tea', cod: '09' }] },
      /items\[0\]\.cod is unknown; did you mean code\?.*items\[0\]\.code is missing/,
    ],
    ['estimate_duty', { code: '8523', value: 1, countries: [] }, /countries must have 1 to 6 entries/],
    ['estimate_duty', { code: '8523', value: 1, convert: true }, /country is needed/],
    ['estimate_duty', { code: '8523', value: 1, country: 'SA', countries: ['SA'] }, /either country or countries/],
    ['get_hs_code', { code: 7 }, /7 is not in the dataset/],
    ['get_hs_code', { code: [7] }, /code must be a text or a whole number\./],
    ['classify_goods', { texts: [] }, /texts/],
    ['classify_goods', { texts: Array(21).fill('tea') }, /texts must have 1 to 20 entries/],
    ['compare_hs_codes', { codes: ['85'] }, /codes must have 2 to 6 entries/],
    ['resolve_hs_codes', { codes: Array(10_000).fill('85') }, /codes must have 1 to 50 entries/],
    ['get_hs_code', { code: 'horse' }, /"horse" is not an HS code/],
    ['get_hs_code', { code: '852399' }, /852399 is not in the dataset\. The nearest code above it is 8523/],
    ['estimate_duty', { code: '8523', value: -1 }, /value/],
    ['estimate_duty', { code: '8523', value: 1, currency: 'Dirham' }, /currency must be three letters/],
    ['hs_edition', { edition: '1999', code: '852321' }, /edition must be/],
    ['hs_edition', { edition: '2017', code: '8523.21' }, /did you mean 852321/],
    ['resolve_hs_codes', { codes: [] }, /codes/],
  ] as const) {
    const answer = await call(name, args)
    t.equal(answer.isError, true, `${name} ${JSON.stringify(args)}`)
    t.match(textOf(answer), sentence)
    t.ok(textOf(answer).length < 400)
  }
  await t.rejects(call('no_such_tool', {}), /no_such_tool/)
  t.equal((await client.listTools()).tools.length, TOOLS.length, 'the server still answers')
})

t.test('a cancelled call ends for its caller, and the next call is answered', async t => {
  const { client, call } = await connected(t)
  const controller = new AbortController()
  const taken = client.callTool({ name: 'search_hs_codes', arguments: { query: 'horses' } }, { signal: controller.signal })
  controller.abort(new Error('no longer wanted'))
  await t.rejects(taken)
  t.match((await call('get_hs_code', { code: '85' })).structuredContent, { hs_code: '85' })
})

/** Sends raw messages and returns every line of output until the input ends. */
async function spoken(t: Test, lines: readonly (object | string)[]): Promise<{ code: number | null; out: Json[] }> {
  const snapshot = await builtSnapshot(t)
  const child = spawn(process.execPath, [MAIN, 'mcp', '--snapshot', snapshot], { cwd: ROOT })
  let out = ''
  const expected = lines.filter(line => typeof line === 'object' && 'id' in line && !('drop' in line)).length
  const done = new Promise<number | null>(resolve => child.on('close', resolve))
  child.stdout.on('data', data => {
    out += data
    if (out.split('\n').length > expected) child.stdin.end()
  })
  child.stdin.write(
    lines.map(line => `${typeof line === 'string' ? line : JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''),
  )
  const code = await done
  return {
    code,
    out: out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  }
}

const OPENING = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } },
  },
  { method: 'notifications/initialized' },
]
const search = (id: number) => ({
  id,
  method: 'tools/call',
  params: { name: 'search_hs_codes', arguments: { query: 'horses' } },
})

t.test('the server answers the messages of a file, and exits with 0', async t => {
  const snapshot = await builtSnapshot(t)
  const input = join(temporaryDirectory(t), 'requests')
  const lines = [...OPENING, search(2)].map(line => JSON.stringify({ jsonrpc: '2.0', ...line }))
  for (const [text, answers] of [
    ['', 0],
    [`${lines.join('\n')}\n`, 2],
  ] as const) {
    writeFileSync(input, text)
    const file = openSync(input, 'r')
    const child = spawn(process.execPath, [MAIN, 'mcp', '--snapshot', snapshot], { cwd: ROOT, stdio: [file, 'pipe', 'ignore'] })
    let out = ''
    child.stdout?.on('data', data => {
      out += data
    })
    t.equal(await new Promise(done => child.on('close', done)), 0)
    closeSync(file)
    t.equal(out.split('\n').length - 1, answers, 'each response is one line')
  }
})

t.test('a call cancelled at once is never answered; at the end of the input, the server exits with 0', async t => {
  const { code, out } = await spoken(t, [
    ...OPENING,
    { ...search(2), drop: true },
    { method: 'notifications/cancelled', params: { requestId: 2, reason: 'changed my mind' } },
    search(3),
  ])
  t.strictSame(
    out.map(({ id }) => id),
    [1, 3],
  )
  t.equal(code, 0)
})

t.test('lines that are not messages do not affect the messages around them', async t => {
  const { code, out } = await spoken(t, [...OPENING, 'hello?', '{"jsonrpc":', search(2)])
  t.strictSame(
    out.map(({ id }) => id),
    [1, 2],
  )
  t.equal(code, 0)
})

t.test('without a snapshot, the server reports this in one line and exits with 2', async t => {
  const { code, stdout, stderr } = await run(['mcp', '--snapshot', '/nowhere/hs.snapshot'])
  t.strictSame([code, stdout], [2, ''])
  t.match(stderr, /^hsapi: .*\/nowhere\/hs\.snapshot.*\n$/)
})
