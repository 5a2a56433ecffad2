/**
 * Part of `npm run lint`: finds regular expressions that may take more than linear time, exponential or polynomial. An
 * expression is exempt if its line, or the line above, has one of two comments:
 * - `// regexp-ignore: linear, why`: it is linear, although the checker cannot see it
 * - `// regexp-ignore: dataset text, why`: it only reads text of the dataset or of our own answers, which is short
 * A short request text is not a reason: 500 characters once took 0.8 seconds.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'
import { isSafePattern } from 'redos-detector'

const FOLDERS = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'build']
const IGNORED = /(?:\/\/|\*) regexp-ignore: (?:linear|dataset text), \S/
const SHOWN_CHARS_MAX = 80

/**
 * Removes `i`, which the checker does not support together with `u`; the expression is then checked for letters of one case.
 */
function isLinear(source, flags) {
  // an expression without repetition is safe, and a list of many words would take the checker seconds
  if (!/[*+{]/.test(source)) return true
  const unicode = flags.includes('u')
  return isSafePattern(source, {
    unicode,
    caseInsensitive: flags.includes('i') && !unicode,
    dotAll: flags.includes('s'),
    multiLine: flags.includes('m'),
  }).safe
}

/** The fault of an expression; undefined if there is none, or if the node is not an expression. */
function faultOf(node) {
  if (node.type === 'RegExpLiteral') return isLinear(node.pattern, node.flags) ? undefined : 'may take more than linear time'
  const isMade = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (isMade && node.callee.name === 'RegExp') return 'is built at run time and cannot be checked'
  return undefined
}

const isNode = value => typeof value === 'object' && value !== null && typeof value.type === 'string'

function* nodesIn(root) {
  const nodes = [root]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    yield node
    for (const value of Object.values(node)) nodes.push(...[value].flat().filter(isNode))
  }
}

function* faultsIn(file) {
  const text = readFileSync(file, 'utf8')
  const lines = text.split('\n')
  const { program } = parse(text, {
    sourceType: 'module',
    plugins: file.endsWith('.tsx') ? ['typescript', 'jsx'] : ['typescript'],
  })
  for (const node of nodesIn(program)) {
    const { line } = node.loc.start
    if ([lines[line - 2], lines[line - 1]].some(one => IGNORED.test(one ?? ''))) continue
    const fault = faultOf(node)
    const shown = text.slice(node.start, node.end).slice(0, SHOWN_CHARS_MAX)
    if (fault !== undefined) yield `${file}:${line}: ${shown} ${fault}`
  }
}

const files = FOLDERS.flatMap(folder =>
  readdirSync(folder, { recursive: true })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => join(folder, name)),
)
const faults = files.flatMap(file => [...faultsIn(file)])
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error('Rewrite these, or say above them why they are safe: // regexp-ignore: linear, why (or: dataset text, why)')
  process.exitCode = 1
}
