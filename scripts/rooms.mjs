/**
 * Which rooms of ARCHITECTURE.md import from which. As a program it writes the last column of the table there; rooms and what they are
 * for are written by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `src/http`, `build/checks`: a folder of the table; a file right under src/ is a room of its own. */
function roomOf(file) {
  const parts = file.split('/')
  if (parts[0] !== 'src') return parts.slice(0, 2).join('/')
  return parts.length > 2 ? `src/${parts[1]}` : `src/${parts[1].replace(/\.ts$/, '')}`
}

function sources() {
  return ['src', 'build'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter(name => name.endsWith('.ts'))
      .map(name => `${folder}/${name}`),
  )
}

/** The rooms that a room really imports from, types included. */
export function importsOfRooms() {
  const used = new Map()
  for (const file of sources()) {
    const room = roomOf(file)
    const known = used.get(room) ?? new Set()
    used.set(room, known)
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const other = roomOf(normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'))
      if (other !== room) known.add(other)
    }
  }
  return used
}

function writeTable() {
  const real = importsOfRooms()
  const file = join(ROOT, 'ARCHITECTURE.md')
  const rewritten = readFileSync(file, 'utf8').replace(
    /^\| (`(src|build|proof)[^|]*) \|([^|]*)\|[^|]*\|$/gm,
    (row, rooms, _, purpose) => {
      const names = [...rooms.matchAll(/`([^`]+)`/g)].map(([, name]) => name.replace(/\/$/, ''))
      if (!names.every(name => real.has(name))) return row
      const uses = new Set(names.flatMap(name => [...real.get(name)]))
      const cell = [...uses]
        .sort()
        .map(name => `\`${name}\``)
        .join(', ')
      return `| ${rooms} |${purpose}| ${cell}${cell === '' ? '' : ' '}|`
    },
  )
  writeFileSync(file, rewritten)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTable()
