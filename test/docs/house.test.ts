import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
// @ts-expect-error a plain script
import { circlesOfFiles, importsOfFiles, importsOfRooms } from '../../scripts/rooms.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const imports: () => Map<string, Set<string>> = importsOfRooms
const files: () => Map<string, string[]> = importsOfFiles
const circles: (imports?: Map<string, string[]>) => string[][] = circlesOfFiles

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

t.test('no file imports, through others, one that imports it, types included', async t => {
  t.strictSame(circles(), [])
})

t.test('a circle of files is found, however long, beside files that only lead to it', async t => {
  const found = circles(
    new Map([
      ['start', ['a', 'leaf']],
      ['a', ['b']],
      ['b', ['c', 'leaf']],
      ['c', ['a', 'd']],
      ['d', ['e']],
      ['e', ['d']],
      ['self', ['self']],
      ['leaf', []],
    ]),
  )
  t.strictSame(found, [['a', 'b', 'c'], ['d', 'e'], ['self']])
})

/** Which files the folders of the explorer's components may import; the components run on the server, too. */
const SHARED =
  /^src\/(?:answers|codes)\/|^src\/web\/page\/(?:likely|query|strings|written)\.ts$|^src\/web\/app\/surroundings\.ts$/
const COMPONENTS: [folder: string, mayImport: RegExp][] = [
  ['src/web/app/ui/', /^src\/web\/app\/ui\//],
  ['src/web/app/record/', /^src\/web\/app\/(?:ui|record)\//],
]

t.test('components use neither browser nor API, and pages do not import each other', async t => {
  for (const [file, imported] of files()) {
    if (!file.startsWith('src/web/app/')) continue
    const [, own = /^$/] = COMPONENTS.find(([folder]) => file.startsWith(folder)) ?? []
    t.strictSame(
      imported.filter(path => !SHARED.test(path) && !own.test(path)),
      [],
      file,
    )
  }
})
