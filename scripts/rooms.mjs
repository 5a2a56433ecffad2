/**
 * The imports between files, and between the rooms of ARCHITECTURE.md. As a program, it writes the last column of the table
 * there; the other columns are written by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** `src/http`, `build/checks`: a folder of the table. A file directly under src/ is its own room. */
function roomOf(file) {
  const parts = file.split('/')
  if (parts[0] !== 'src') return parts.slice(0, 2).join('/')
  return parts.length > 2 ? `src/${parts[1]}` : `src/${parts[1].replace(/\.ts$/, '')}`
}

function sources() {
  return ['src', 'build'].flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter(name => /\.tsx?$/.test(name))
      .map(name => `${folder}/${name}`),
  )
}

/** The files that each file imports, including types, dynamic imports and imports without names. */
export function importsOfFiles() {
  const files = sources()
  const known = new Set(files)
  return new Map(
    files.map(file => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      const paths = [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].flatMap(([, path]) => {
        const source = normalize(join(dirname(file), path)).replace(/\.js$/, '.ts')
        return [source, `${source}x`]
      })
      return [file, paths.filter(path => known.has(path))]
    }),
  )
}

/** The rooms that each room imports from, types included. */
export function importsOfRooms() {
  const used = new Map()
  for (const [file, paths] of importsOfFiles()) {
    const room = roomOf(file)
    const known = used.get(room) ?? new Set()
    used.set(room, known)
    for (const other of paths.map(roomOf)) if (other !== room) known.add(other)
  }
  return used
}

/** Files that import each other, directly or through others, in groups: Tarjan's strongly connected components. */
export function circlesOfFiles(imports = importsOfFiles()) {
  const order = new Map()
  const lowest = new Map()
  const open = []
  const circles = []
  const visit = file => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    open.push(file)
    for (const next of imports.get(file)) {
      if (!order.has(next)) visit(next)
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || imports.get(file).includes(file)) circles.push(group.sort())
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return circles.sort()
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
