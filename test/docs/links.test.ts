import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isRelative, linksIn, proseOf } from '../support/pages.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README_LINES_MAX = 200
const README_WORDS_MAX = 1_800
const LINE_CHARS_MAX = 130
const PAGE_WORDS_MAX = 3_000

const pages = [
  'README.md',
  'README.ar.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')
const prose = (page: string) => proseOf(read(page))
const targets = (page: string) => linksIn(read(page))
const wordsIn = (text: string) => text.split(/\s+/).filter(word => word !== '').length

/** Returns the anchors of a page as GitHub makes them: without punctuation, with a number for a repeated heading. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
    let anchor = slug
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`
    anchors.add(anchor)
  }
  return anchors
}

t.test('every relative link of the README and the pages leads to an existing file and heading', async t => {
  let followed = 0
  for (const page of pages)
    for (const target of targets(page)) {
      if (!isRelative(target)) continue
      followed++
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
      const exists = existsSync(join(ROOT, file))
      t.ok(exists && !file.startsWith('..'), `${page}: ${target} is a file of the project`)
      if (exists && anchor !== undefined) t.ok(anchorsOf(file).has(anchor), `${page}: ${target} is a heading`)
    }
  t.ok(followed > 100, `there are ${followed} relative links`)
})

t.test('every page can be reached from the README', async t => {
  const reached = new Set(['README.md'])
  for (const page of reached)
    for (const target of targets(page)) {
      const file = relative(ROOT, join(ROOT, dirname(page), target.split('#')[0] as string))
      if (pages.includes(file)) reached.add(file)
    }
  t.strictSame([...reached].sort(), [...pages].sort())
})

t.test('the README does not exceed its maximum of lines and words', async t => {
  const text = read('README.md')
  const lines = text.trimEnd().split('\n').length
  const words = wordsIn(text)
  t.ok(lines <= README_LINES_MAX, `the README has ${lines} lines`)
  t.ok(words <= README_WORDS_MAX, `the README has ${words} words`)
})

t.test('lines of prose have at most 130 characters; tables and code may be longer', async t => {
  for (const page of pages)
    for (const line of prose(page).split('\n'))
      if (!line.startsWith('|')) t.ok([...line].length <= LINE_CHARS_MAX, `the line of ${page} is not too long: ${line}`)
})

t.test('no page exceeds its maximum of words', async t => {
  for (const page of pages) t.ok(wordsIn(read(page)) <= PAGE_WORDS_MAX, `${page} has ${wordsIn(read(page))} words`)
})

t.test('words of prose are separated by a single space', async t => {
  for (const page of pages)
    for (const line of prose(page).split('\n'))
      if (!line.startsWith('|'))
        t.notMatch(line.replace(/`[^`]*`/g, 'code'), /\S {2,}\S/, `the line of ${page} has no double space: ${line}`)
})
