/** The environment variable `ONLY=docs/api.md` limits the test to one page. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadParts } from '../../src/snapshot/load.js'
import { ROOT } from '../support/cli.js'
import {
  type Block,
  blocksOf,
  copyCheckout,
  isShown,
  jsonPair,
  missingProgram,
  normalise,
  showsOnlyData,
  Terminal,
} from '../support/pages.js'
import { runProgram } from '../support/program.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'

const pages = [
  ...readdirSync(ROOT).filter(name => /^README(\.\w+)?\.md$/.test(name)),
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]
const OUTPUT = ['json', 'text']

const isMarked = ({ note }: Block) => note.startsWith('not run: ')
const isFile = ({ note }: Block) => note.startsWith('file: ')

t.test('every block of a page is a command, the output of a command, a file, or has a reason why it is not run', async t => {
  for (const page of pages)
    for (const [i, block] of blocksOf(page).entries()) {
      const isOutput = OUTPUT.includes(block.language) && blocksOf(page)[i - 1]?.language === 'sh'
      t.ok(
        block.language === 'sh' || isOutput || isFile(block) || isMarked(block),
        `${page}:${block.line} is a command, output, a file, or has a reason`,
      )
    }
})

/** Returns the files and folders that the commands of a page write, including commands that this test does not run. */
function writtenBy(page: string): Set<string> {
  const commands = blocksOf(page).filter(({ language }) => language === 'sh')
  const written = commands.flatMap(({ text }) =>
    [...text.matchAll(/(?:--out |>|^cp .* )([\w.-]+)/gm)].map(([, name = '']) => name),
  )
  return new Set(written)
}

t.test("pages that write datasets do not overwrite each other's files", async t => {
  const writtenByPage = ['getting-started', 'own-tariff', 'changes', 'cli'].map(name => [...writtenBy(`docs/${name}.md`)])
  for (const names of writtenByPage) t.ok(names.length > 2, `a page writes several files: ${names.join(' ')}`)
  const all = writtenByPage.flat()
  t.strictSame(
    all.filter((name, i) => all.indexOf(name) !== i),
    [],
  )
})

async function compareOutput(t: Test, page: string, where: string, shown: Block, real: string): Promise<void> {
  if (shown.language === 'json') {
    const [expected, response] = jsonPair(shown.text, real, showsOnlyData(page, shown))
    t.equal(response, expected, `${where} gives the response shown`)
  } else if (isShown(shown.text, real)) t.pass(`${where} prints the output shown`)
  else t.equal(normalise(real), normalise(shown.text), `${where} prints the output shown`)
}

async function runPage(t: Test, page: string, checkout: string): Promise<void> {
  const blocks = blocksOf(page)
  const usesRedis = (block: Block) => block.text.includes('6379') && !isMarked(block)
  const redis = blocks.some(usesRedis) && !WITHOUT_REDIS ? await startRedis(t) : undefined
  const terminal = await Terminal.open(checkout, redis?.port)
  t.teardown(() => terminal.close())
  for (const [i, block] of blocks.entries()) {
    if (isMarked(block)) continue
    // later blocks depend on the contents of Redis
    if (usesRedis(block) && WITHOUT_REDIS)
      return void t.pass(`${page}:${block.line} and all later blocks`, { skip: WITHOUT_REDIS })
    if (isFile(block)) await terminal.writeFile(block.note.slice('file: '.length), block.text)
    if (block.language !== 'sh') continue
    const missing = missingProgram(block)
    if (missing !== undefined) {
      t.pass(`${page}:${block.line}`, { skip: `${missing} is not installed` })
      continue
    }
    const next = blocks[i + 1]
    const shown = next !== undefined && OUTPUT.includes(next.language) && next.note === '' ? next : undefined
    const where = `${page}:${block.line}`
    const { code, output } = await terminal.run(block.text, shown?.text ?? '')
    t.equal(code, 0, `${where} succeeds${code === 0 ? '' : `: ${output}`}`)
    if (shown !== undefined) await compareOutput(t, page, where, shown, output)
  }
}

t.test('the command in docs/api-codes.md prints the id of a snapshot file', async t => {
  const command = blocksOf('docs/api-codes.md').find(({ text }) => text.includes('sha256sum'))?.text ?? ''
  const { output } = await runProgram('sh', ['-c', command])
  const { id } = await loadParts(join(ROOT, 'dist/hs.snapshot'))
  t.equal(output, id)
})

t.test('npx finds the program in a checkout', async t => {
  const { code, output } = await runProgram('npx', ['--offline', '--no', 'hsapi', '--version'])
  t.equal(code, 0, output)
})

t.test('the commands of the pages succeed and print what the pages show', async t => {
  const checkout = copyCheckout(t)
  for (const page of pages.filter(name => (process.env.ONLY ?? name) === name))
    await t.test(page, t => runPage(t, page, checkout))
})
