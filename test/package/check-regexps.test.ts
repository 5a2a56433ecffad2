/** Tests the check of regular expressions, which `npm run lint` runs over src and build. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const DANGEROUS = [
  String.raw`export const EXPONENTIAL = /^(?:(?:hs|hscode|code)[\s:]*)+$/`,
  String.raw`const closing = (text: string) => text.replace(/[\s:.]+$/, '')`,
  String.raw`const UNICODE = /^\s*(\S*\s*)*$/u`,
  'export const made = (word: string) => new RegExp(word)',
  '// regexp-ignore:',
  String.raw`const WITHOUT_REASON = /(\d+(?:\.\d+)?) ?%/g`,
  '// regexp-ignore: a title has at most 500 characters',
  String.raw`const SHORT = /(\d+(?:\.\d+)?) ?%/g`,
]
const HARMLESS = [
  'export const CODE = /^[0-9]{2,4}(?:[. ][0-9]{2,4})+$/',
  'const WORDS = /(?:tea|coffee|cocoa|milk|sugar) (?:in|of|for)/iu',
  '// regexp-ignore: dataset text, a description has at most 1,000 characters',
  String.raw`const PERCENT = /(\d+(?:\.\d+)?) ?%/gu`,
  '// regexp-ignore: linear, one class',
  'export const classes = (letters: string) => new RegExp(letters)',
  '/** Not an expression: [\\s:.]+$ */',
  'const slash = 6 / 2 / 3',
]

t.test(
  'expressions of exponential or polynomial time are reported unless a comment gives a reason for accepting them',
  async t => {
    const folder = temporaryDirectory(t)
    writeFileSync(join(folder, 'dangerous.ts'), DANGEROUS.join('\n'))
    writeFileSync(join(folder, 'harmless.ts'), HARMLESS.join('\n'))
    const script = join(ROOT, 'scripts/check-regexps.mjs')
    const { status, stderr } = spawnSync(process.execPath, [script, folder], { cwd: ROOT, encoding: 'utf8' })
    t.equal(status, 1)
    const found = stderr.split('\n').flatMap(line => /(\w+\.ts:\d+): .*? (may|is built)/.exec(line)?.[1] ?? [])
    t.strictSame(
      found.sort(),
      [1, 2, 3, 4, 6, 8].map(line => `dangerous.ts:${line}`),
    )
  },
)
