/**
 * Part of `npm run lint`: finds regular expressions that may take more than linear time, exponential and polynomial ones alike.
 * One whose input is short, or which is linear although the checker cannot see it, says so: `// regexp-ignore: reason` on its line
 * or on the line above it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSafePattern } from 'redos-detector'
import ts from 'typescript'

const FOLDERS = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'build']
const IGNORED = /(?:\/\/|\*) regexp-ignore: \S/
const SHOWN_CHARS_MAX = 80

/** The checker knows no `i` with `u`; without `i` it sees the same expression, for letters of one case. */
function isLinear(source, flags) {
  // where nothing repeats there is nothing to check, and a list of many words would take the checker seconds
  if (!/[*+{]/.test(source)) return true
  const unicode = flags.includes('u')
  return isSafePattern(source, {
    unicode,
    caseInsensitive: flags.includes('i') && !unicode,
    dotAll: flags.includes('s'),
    multiLine: flags.includes('m'),
  }).safe
}

/** What is wrong with an expression; undefined for nothing, and for what is none. */
function faultOf(node) {
  if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
    const end = node.text.lastIndexOf('/')
    return isLinear(node.text.slice(1, end), node.text.slice(end + 1))
      ? undefined
      : 'may take more than linear time'
  }
  const isMade = ts.isNewExpression(node) || ts.isCallExpression(node)
  if (isMade && node.expression.getText() === 'RegExp')
    return 'is put together at run time: it cannot be checked'
  return undefined
}

function* faultsIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const lines = source.text.split('\n')
  const nodes = [source]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    ts.forEachChild(node, child => void nodes.push(child))
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    if ([lines[line - 1], lines[line]].some(text => IGNORED.test(text ?? ''))) continue
    const fault = faultOf(node)
    if (fault !== undefined) yield `${file}:${line + 1}: ${node.getText().slice(0, SHOWN_CHARS_MAX)} ${fault}`
  }
}

const files = FOLDERS.flatMap(folder =>
  readdirSync(folder, { recursive: true })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name)),
)
const faults = files.flatMap(file => [...faultsIn(file)])
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error('Rewrite these, or say above them why that is no danger: // regexp-ignore: reason')
  process.exitCode = 1
}
