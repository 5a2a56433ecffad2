import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, run } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

const snapshot = await builtSnapshot(t)
const folder = temporaryDirectory(t)
const listed = (...args: string[]) => run(['changes', '--snapshot', snapshot, ...args])

function fileOf(text: string): string {
  const file = join(folder, 'codes.csv')
  writeFileSync(file, text)
  return file
}

t.test('all changes are listed, or those of the codes in a file', async t => {
  const all = await listed()
  t.equal(all.stdout.trimEnd().split('\n').length, 6, all.stderr)
  t.match(all.stdout, /^1\.2\.3 {2}rate {2}852321 {2}0 % → 5 %$/m)
  t.match(all.stdout, /^1\.2\.0 {2}active {2}0101 {2}not in force → in force$/m)
  const json = await listed(
    '--codes',
    fileOf('\ufeffHS code;name\r\n"8517.13";phone\r\n\r\n# gone\r\n852340000000\r\n'),
    '--json',
  )
  t.strictSame(
    json.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).hs_code),
    ['851713', '852340'],
  )
  const codes = Array.from({ length: 500 }, (_, i) => `85${10 + (i % 90)}`)
  t.match(await listed('--codes', fileOf(codes.join('\n')), '--kind', 'added'), { code: 0, stdout: /852351/ })
  t.match(await listed('--codes', fileOf('90')), { code: 0, stdout: '', stderr: 'hsapi: no changes\n' })
})

t.test('the refusal of a bad file names the file and the line', async t => {
  t.match(await listed('--codes', fileOf('8517\nphones,8517\n')), { code: 2, stderr: /codes\.csv:2: "phones" is not an HS code/ })
  t.match(await listed('--codes', fileOf('code\n\n')), { code: 2, stderr: /codes\.csv: the file has no codes/ })
  t.match(await listed('--codes', join(folder, 'none')), { code: 2, stderr: /none: ENOENT/ })
  t.match(await listed('--since', '9.9.9'), { code: 2, stderr: /--since must be a version/ })
})
