import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
// @ts-expect-error: the script is plain JavaScript
import { circlesOfFiles, importsOfFiles, importsOfRooms } from '../../scripts/rooms.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const imports: () => Map<string, Set<string>> = importsOfRooms
const files: () => Map<string, string[]> = importsOfFiles
const circles: (imports?: Map<string, string[]>) => string[][] = circlesOfFiles

/** Reads the table of ARCHITECTURE.md: for each room, the rooms it may use. */
function documentedImports(): Map<string, Set<string>> {
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

t.test('the table of rooms names every room and exactly the rooms it uses', async t => {
  const real = imports()
  const table = documentedImports()
  t.strictSame([...table.keys()].sort(), [...real.keys()].sort())
  for (const [room, uses] of real) {
    t.strictSame([...(table.get(room) ?? [])].sort(), [...uses].sort(), `the table lists what ${room} uses`)
  }
})

t.test('there is no circular use between rooms', async t => {
  const real = imports()
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of real.get(from) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      reach(next, seen)
    }
    return seen
  }
  for (const room of real.keys()) t.notOk(reach(room).has(room), `${room} does not use itself through other rooms`)
})

t.test('there are no circular imports between files, including imports of types', async t => {
  t.strictSame(circles(), [])
})

t.test('circular imports of any length are found, without files that only lead to them', async t => {
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

const SHARED = ['text', 'ui', 'data', 'shared']
/** For each folder of src/web/app, and for `admin`, the folders of src/web/app that it may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  ui: ['text'],
  data: ['text'],
  shared: ['text', 'ui', 'data'],
  estimate: SHARED,
  browse: SHARED,
  compare: SHARED,
  record: [...SHARED, 'estimate'],
  search: SHARED,
  shipment: [...SHARED, 'estimate'],
  docs: ['text', 'ui', 'shared', 'shell'],
  admin: ['text', 'ui', 'shared', 'shell'],
}
/** The shell assembles the pages, so it may import every folder. */
const UNRESTRICTED = 'shell'

const folderOf = (path: string) => /^src\/web\/(?:app\/)?(?!server|embed)(\w+)\//.exec(path)?.[1]

t.test('pages of the explorer do not import each other; shared parts do not import pages', async t => {
  const folders = new Set<string>()
  for (const [file, imported] of files()) {
    const folder = folderOf(file)
    if (folder === undefined || folder === UNRESTRICTED) continue
    folders.add(folder)
    const others = imported.map(folderOf).filter(other => other !== undefined && other !== folder)
    t.strictSame(
      others.filter(other => !MAY_IMPORT[folder]?.includes(other as string)),
      [],
      `${file} imports only allowed folders`,
    )
  }
  t.strictSame([...folders].sort(), Object.keys(MAY_IMPORT).sort(), 'MAY_IMPORT lists every folder')
})

/** Folders that run only in browsers, so the package does not contain them. */
const BROWSER_ONLY = ['admin', 'compare', 'docs', 'estimate', 'search', 'shared', 'shipment']

/** Returns the folders that the files below a path import, directly or indirectly. */
function reachedFrom(path: string): Set<string | undefined> {
  const byFile = files()
  const reached = new Set<string>()
  const visit = (file: string) => {
    if (reached.has(file)) return
    reached.add(file)
    for (const other of byFile.get(file) ?? []) visit(other)
  }
  for (const file of byFile.keys()) if (file.startsWith(path)) visit(file)
  return new Set([...reached].map(folderOf))
}

t.test("the operator's page does not import `data`, which calls the public API and stores drafts", async t => {
  const folders = reachedFrom('src/web/admin/')
  t.ok(folders.has('ui') && folders.has('shared'))
  t.notOk(folders.has('data'))
})

t.test('components that the server renders do not import folders that need a browser', async t => {
  const folders = reachedFrom('src/web/server/')
  t.ok(folders.has('record'), 'the server renders records')
  t.strictSame(
    [...folders].filter(folder => folder !== undefined && BROWSER_ONLY.includes(folder)),
    [],
    'none of the imported folders needs a browser',
  )
})

t.test('every generator of long lists or texts states a size, because by default fast-check makes only short ones', async t => {
  const LONG = 20
  const names = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.test.ts'))
  let generators = 0
  for (const name of names) {
    const text = readFileSync(join(ROOT, 'test', name), 'utf8')
    if (!text.includes("from 'fast-check'")) continue
    for (const [options, most = ''] of text.matchAll(/\{[^{}]*\bmaxLength: ([\d_]+)[^{}]*\}/g)) {
      if (Number(most.replaceAll('_', '')) < LONG) continue
      generators++
      t.match(options, /\bsize: /, `${name}: ${options}`)
    }
  }
  t.ok(generators > LONG, `${generators} generators`)
})
