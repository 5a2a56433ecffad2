/** A dataset several times larger than ours, valid for `hsapi build`, to see how cost grows with size. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'

/** Maximum lines below a 12-digit line: a 14-digit code has only two digits more. */
const CHILDREN_MAX = 99

const quoted = text => `"${text.replaceAll('"', '""')}"`

/**
 * Copies the dataset from `from` to `to` with `extra` more lines: 14-digit codes, spread evenly below its 12-digit lines. Each
 * repeats the words of its parent and adds a few new ones, as real lines would.
 * @returns {number} lines added
 */
export function writeLargerDataset({ from, to, extra }) {
  mkdirSync(join(to, 'chapters'), { recursive: true })
  for (const name of readdirSync(from)) if (name !== 'chapters') cpSync(join(from, name), join(to, name), { recursive: true })
  const manifest = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'))
  // house style is off, because its rules fix the set of codes
  writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, house_style: false }))

  const chapters = readdirSync(join(from, 'chapters')).map(name => {
    const text = readFileSync(join(from, 'chapters', name), 'utf8')
    const lines = parse(text, { columns: true, bom: true }).filter(row => row.hs_code.length === 12)
    return { name, text, lines }
  })
  const parents = chapters.reduce((sum, { lines }) => sum + lines.length, 0)
  const each = Math.min(CHILDREN_MAX, Math.ceil(extra / parents))
  let added = 0
  for (const { name, text, lines } of chapters) {
    const out = [text.trimEnd()]
    for (const { hs_code, description_en, description_ar } of lines) {
      for (let i = 1; i <= each && added < extra; i++, added++) {
        const english = quoted(`${description_en}, variant v${i} of lot l${added % 997}`)
        const arabic = quoted(`${description_ar}، نوع ${i}`)
        out.push(`${hs_code}${String(i).padStart(2, '0')},${english},${arabic},,,,`)
      }
    }
    writeFileSync(join(to, 'chapters', name), `${out.join('\n')}\n`)
  }
  return added
}
