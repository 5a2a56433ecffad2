/**
 * npm run bench:agents [-- --file FILE.tsv] [-- --agent CMD]: how well an agent classifies with the tools of `hsapi mcp`,
 * compared with one search call. Measures how often heading and subheading come first, and calls and tokens per title. Without
 * --agent, fixed rules play the agent and no model is needed; they answer questions from the title alone and never see the
 * expected code.
 *
 * --agent starts a command once and exchanges JSON lines with it. For each title, the command receives {"title"} (in the first
 * line also the list of "tools"), sends any number of {"tool","arguments"}, receives {"result"} or {"error"} for each, and
 * finishes with {"code"}.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readTitles, SUBHEADING } from './titles.mjs'

const MAIN = fileURLToPath(new URL('../dist/src/main.js', import.meta.url))
/** The usual estimate for English; Arabic has fewer characters per token. */
const CHARS_PER_TOKEN = 4
const CALLS_MAX = 12

const { values } = parseArgs({ options: { file: { type: 'string' }, agent: { type: 'string' } } })
const rows = readTitles(values.file)

const client = new Client({ name: 'bench', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'] }))
const { tools } = await client.listTools()
const wordsOf = text => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
const shared = (text, words) => [...wordsOf(text)].filter(word => words.has(word)).length

/** The tools for one title, with counters for calls and characters. */
function countedTools() {
  const used = { calls: 0, chars: 0, structuredChars: 0 }
  const call = async (name, args) => {
    used.calls++
    const { content, structuredContent } = await client.callTool({ name, arguments: args })
    const [{ text }] = content
    const askedChars = name.length + JSON.stringify(args).length
    used.chars += askedChars + text.length
    used.structuredChars += askedChars + JSON.stringify(structuredContent).length
    return { text, data: structuredContent }
  }
  return { used, call }
}

/**
 * Fixed rules: classify the title, and answer the question if the title contains the answer. For an uncertain code, follow its
 * pointers that match the title. Otherwise take the first candidate.
 */
async function answerByRules(title, call) {
  const words = wordsOf(title)
  const classify = async within => (await call('classify_goods', { texts: [title], ...(within && { within }) })).data.items[0]
  const first = await classify()
  const [best] = first.candidates
  if (best === undefined) {
    const { data } = await call('search_hs_codes', { query: title.slice(0, 200), limit: 3 })
    return data.results[0]?.hs_code ?? ''
  }
  if (first.status === 'clear') return best.hs_code
  if (first.question !== undefined) {
    const sharedCounts = first.question.answers.map(({ text }) => shared(text, words))
    const most = Math.max(...sharedCounts)
    if (most === 0 || sharedCounts.filter(count => count === most).length > 1) return best.hs_code
    const chosen = first.question.answers[sharedCounts.indexOf(most)]
    return (await classify([...chosen.within])).candidates[0]?.hs_code ?? best.hs_code
  }
  const { data } = await call('get_hs_code', { code: best.hs_code })
  const elsewhere = (data.see_also ?? []).find(({ what }) => [...wordsOf(what)].every(word => words.has(word)))
  if (elsewhere === undefined) return best.hs_code
  return (await classify([elsewhere.hs_code])).candidates[0]?.hs_code ?? best.hs_code
}

async function answerBySearch(title, call) {
  const { data } = await call('search_hs_codes', { query: title.slice(0, 200), limit: 3 })
  return data.results?.[0]?.hs_code ?? ''
}

/** An agent behind a command, such as a model. */
function startAgent(command) {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let isFirst = true
  const send = message => child.stdin.write(`${JSON.stringify(message)}\n`)
  const play = async (title, call) => {
    send(isFirst ? { title, tools } : { title })
    isFirst = false
    for (let calls = 0; calls <= CALLS_MAX; calls++) {
      const { value, done } = await answers.next()
      if (done) throw new Error(`${command} ended before it named a code`)
      const message = JSON.parse(value)
      if (message.code !== undefined) return String(message.code)
      const { text } = await call(String(message.tool), message.arguments ?? {}).catch(error => ({ text: error.message }))
      send({ result: text })
    }
    return ''
  }
  return { play, stop: () => child.stdin.end() }
}

async function measure(name, play) {
  const totals = { heading: 0, subheading: 0, subheadings: 0, calls: 0, chars: 0, structuredChars: 0 }
  for (const { text: title, heading, subheading } of rows) {
    const { used, call } = countedTools()
    const code = (await play(title, call)).replace(/\D/g, '')
    if (code.startsWith(heading)) totals.heading++
    if (subheading.length === SUBHEADING) totals.subheadings++
    if (subheading.length === SUBHEADING && code.startsWith(subheading)) totals.subheading++
    totals.calls += used.calls
    totals.chars += used.chars
    totals.structuredChars += used.structuredChars
  }
  const tokens = chars => Math.round(chars / CHARS_PER_TOKEN / rows.length)
  const share = (count, all) => (count / all).toFixed(3)
  console.log(
    `${name.padEnd(20)} heading ${share(totals.heading, rows.length)}  subheading ${share(totals.subheading, totals.subheadings)}` +
      `  ${(totals.calls / rows.length).toFixed(2)} calls, ${tokens(totals.chars)} tokens a title (${tokens(totals.structuredChars)} where the host shows structured content)`,
  )
}

console.log(`${rows.length} titles; first code right\n`)
await measure('one search call', answerBySearch)
if (values.agent === undefined) await measure('fixed rules', answerByRules)
else {
  const { play, stop } = startAgent(values.agent)
  await measure(values.agent.slice(0, 20), play)
  stop()
}
await client.close()
