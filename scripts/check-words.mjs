/**
 * Part of `npm run lint`: finds words and patterns that readers stumble over, in comments, messages and documents. Older
 * occurrences are listed in plain-words.json, which may only shrink: `node scripts/check-words.mjs --shrink` removes entries
 * that are gone.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from '@babel/parser'

const BASELINE = 'scripts/plain-words.json'
const FILES = [
  '*.md',
  '*.ts',
  '*.tsx',
  '*.mjs',
  ':!scripts/check-words.mjs',
  ':!test/package/check-words.test.ts',
  ':!bench/results',
  ':!CHANGELOG.md',
  // generated from the schemas, which are checked
  ':!src/contract/types.ts',
]

/** A pattern, and what to write instead. */
const PATTERNS = {
  anew: [/\banew\b/gi, '"again"'],
  mend: [/\bmend(?:s|ed|ing)?\b/gi, '"fix", "repair"'],
  'by lot': [/\bby lot\b/gi, '"at random"'],
  dear: [/\bdear(?:er|est)?\b/gi, '"costly", "slow"'],
  besides: [/\bbesides\b/gi, '"also", "beside"'],
  whoever: [/\bwhoever\b/gi, 'name the person: "the caller", "the visitor"'],
  thereof: [/\bthereof\b/gi, '"of it"'],
  begun: [/\bbegun\b/gi, '"started"'],
  'none of': [/\b(?:is|are) none of\b|\bnone of ours\b/gi, 'say what it is instead'],
  'made good': [/\b(?:made|makes?) good\b/gi, '"applied later", "repaired"'],
  'so often': [/\bso often\b/gi, 'say how often'],
  'speaks for': [/\bspeaks? for\b/gi, 'name the source: "the rate comes from"'],
  'what is there': [/\bwhat is there\b/gi, 'name it'],
  'stands in': [/\bstands? (?:in|under|beside|above|below|there)\b/gi, '"is in", "is listed under"'],
  'is no': [
    /(?<!\b(?:there|which|that there) )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b|better\b|worse\b)\w+/gi,
    '"is not a"',
  ],
  'only then': [/\bonly then\b/gi, '"after that"'],
}

/** Prose of a page, without fenced blocks and inline code, whose words belong to programs. */
const proseOf = text => unwrapped(text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '``'))

const isNode = value => typeof value === 'object' && value !== null && typeof value.type === 'string'

function* stringsIn(root) {
  const nodes = [root]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.type === 'StringLiteral' || node.type === 'JSXText') yield node.value
    if (node.type === 'TemplateElement') yield node.value.raw
    for (const value of Object.values(node)) nodes.push(...[value].flat().filter(isNode))
  }
}

/** A comment may be wrapped in the middle of a phrase. */
const unwrapped = text => text.replace(/\n[\s*/]*/g, ' ')

const hasAny = text => Object.values(PATTERNS).some(([pattern]) => text.search(pattern) >= 0)

/** Comments, and strings of several words. */
function textOf(file) {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.md')) return proseOf(text)
  // skip parsing for most files, which have no match
  if (!hasAny(unwrapped(text))) return ''
  const { program, comments } = parse(text, {
    sourceType: 'module',
    plugins: ['typescript', ...(file.endsWith('.tsx') ? ['jsx'] : [])],
  })
  const messages = [...stringsIn(program)].filter(one => one.includes(' '))
  return [...comments.map(({ value }) => unwrapped(value)), ...messages].join('\n')
}

/** How often each pattern occurs, by file. */
function found() {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...FILES], { encoding: 'utf8' })
  const all = {}
  for (const file of files
    .split('\n')
    .filter(name => name !== '')
    .sort()) {
    const text = textOf(file)
    const counts = Object.entries(PATTERNS).map(([name, [pattern]]) => [name, text.match(pattern)?.length ?? 0])
    const some = counts.filter(([, count]) => count > 0)
    if (some.length > 0) all[file] = Object.fromEntries(some)
  }
  return all
}

const known = JSON.parse(readFileSync(BASELINE, 'utf8'))
const now = found()
const names = Object.keys(PATTERNS)
const rows = [...new Set([...Object.keys(known), ...Object.keys(now)])]
  .sort()
  .flatMap(file => names.map(name => ({ file, name, before: known[file]?.[name] ?? 0, count: now[file]?.[name] ?? 0 })))

for (const { file, name, before, count } of rows.filter(row => row.count > row.before)) {
  console.error(`${file}: "${name}" ${count} times, ${before} allowed: write ${PATTERNS[name][1]}`)
  process.exitCode = 1
}
if (process.argv.includes('--shrink')) {
  const rest = {}
  for (const { file, name, before, count } of rows) {
    const allowed = Math.min(before, count)
    if (allowed > 0) rest[file] = { ...rest[file], [name]: allowed }
  }
  writeFileSync(BASELINE, `${JSON.stringify(rest, null, 2)}\n`)
} else if (rows.some(row => row.count < row.before)) {
  console.error('scripts/plain-words.json lists words that are gone: node scripts/check-words.mjs --shrink')
  process.exitCode = 1
}
