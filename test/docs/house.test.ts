import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** `src/http/`, `build/checks/`: the folders of ARCHITECTURE.md's table; a file right under src/ is a room of its own. */
function roomOf(file: string): string {
  const parts = file.split('/')
  if (parts[0] !== 'src') return parts.slice(0, 2).join('/')
  return parts.length > 2 ? `src/${parts[1]}` : `src/${(parts[1] as string).replace(/\.ts$/, '')}`
}

function sources(): string[] {
  return ['src', 'build'].flatMap(folder =>
    (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
      .filter(name => name.endsWith('.ts'))
      .map(name => `${folder}/${name}`),
  )
}

/** Which rooms a room really imports from, types included. */
function imports(): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const file of sources()) {
    const room = roomOf(file)
    const known = used.get(room) ?? new Set()
    used.set(room, known)
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const other = roomOf(normalize(join(dirname(file), path)).replace(/\.js$/, '.ts'))
      if (other !== room) known.add(other)
    }
  }
  return used
}

/** Rooms and what they may use, as the table says. */
function told(): Map<string, Set<string>> {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const rows = text
    .slice(text.indexOf('## Rooms'))
    .split('\n')
    .filter(line => line.startsWith('| `'))
  const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, ''))
  const rooms = new Map<string, Set<string>>()
  for (const row of rows) {
    const [, room = '', , uses = ''] = row.split('|')
    for (const name of names(room)) rooms.set(name, new Set(names(uses)))
  }
  return rooms
}

/** Writes the last column of the table again; rooms and what they are for are written by hand. */
function writeUses(real: Map<string, Set<string>>): void {
  const file = join(ROOT, 'ARCHITECTURE.md')
  const rewritten = readFileSync(file, 'utf8').replace(
    /^\| (`(src|build|proof)[^|]*) \|([^|]*)\|[^|]*\|$/gm,
    (row, rooms: string, _, purpose: string) => {
      const names = [...rooms.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, ''))
      if (!names.every(name => real.has(name))) return row
      const uses = new Set(names.flatMap(name => [...(real.get(name) as Set<string>)]))
      const cell = [...uses]
        .sort()
        .map(name => `\`${name}\``)
        .join(', ')
      return `| ${rooms} |${purpose}| ${cell}${cell === '' ? '' : ' '}|`
    },
  )
  writeFileSync(file, rewritten)
}

if (process.env.WRITE_ROOMS === '1') writeUses(imports())

t.test('the table of rooms names every room and just what it uses', async t => {
  const real = imports()
  const table = told()
  t.strictSame([...table.keys()].sort(), [...real.keys()].sort())
  for (const [room, uses] of real) {
    t.strictSame([...(table.get(room) ?? [])].sort(), [...uses].sort(), room)
  }
})

t.test('no room uses, through others, one that uses it', async t => {
  const real = imports()
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of real.get(from) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reach(next, seen)
    }
    return seen
  }
  for (const room of real.keys()) t.notOk(reach(room).has(room), room)
})
