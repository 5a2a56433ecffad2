/** When a snapshot is loaded, and when it is not. */
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Loaded } from '../../src/process/load-thread.js'
import { Reloader } from '../../src/process/reload.js'
import type { SnapshotParts } from '../../src/snapshot/decode.js'
import { stampOf, stampOfFile } from '../../src/snapshot/load.js'
import { temporaryDirectory } from '../support/service.js'

const PARTS = { meta: { edition: 'HS 2022', records: 1 } } as SnapshotParts

/** A file and its reloader; the test decides when and how each load ends. */
async function reloaded(t: Test, decisions?: string) {
  const file = join(temporaryDirectory(t), 'hs.snapshot')
  const stamp = () => stat(file, { bigint: true }).then(stampOf)
  writeFileSync(file, 'first')
  const loads: ((loaded: Loaded) => void)[] = []
  const lines: string[] = []
  /** The decisions that were served after each load. */
  const served: string[] = []
  const seconds: number[] = []
  const reloader = new Reloader({
    locate: () => file,
    shared: false,
    stamps: { snapshot: await stamp(), decisions: (decisions && (await stampOfFile(decisions))) ?? '' },
    decisions,
    swap: async (parts, loadSeconds) => {
      served.push(parts.decisions?.rows.map(({ sku }) => sku).join() ?? '')
      seconds.push(loadSeconds)
    },
    log: (line, level) => lines.push(`${level} ${line}`),
    load: () => new Promise(resolve => loads.push(resolve)),
  })
  const finish = async (how: 'served' | 'damaged' | 'not read') => {
    const end = loads.shift() as (loaded: Loaded) => void
    if (how === 'served') end({ parts: PARTS, stamp: await stamp() })
    else end({ refused: how, stamp: how === 'damaged' ? await stamp() : undefined })
  }
  /** Checks the file until a load starts, and finishes it. Returns the number of checks, or 0 if no load started. */
  const lookUntilLoad = async (how: Parameters<typeof finish>[0]) => {
    for (let looks = 1; looks <= 30; looks++) {
      let isOver = false
      const look = reloader.checkForChanges().then(() => {
        isOver = true
      })
      while (!isOver && loads.length === 0) await new Promise(setImmediate)
      if (isOver) continue
      await finish(how)
      await look
      return looks
    }
    return 0
  }
  return { file, loads, lines, served, seconds, reloader, finish, lookUntilLoad }
}

t.test('requests during a load share the next load', async t => {
  const { loads, lines, reloader, finish } = await reloaded(t)
  const asked = Array.from({ length: 40 }, () => reloader.reload())
  t.equal(loads.length, 1)
  await finish('served')
  t.match(await asked[0], { isLoaded: true })
  t.equal(loads.length, 1, 'the other 39 requests share one load')
  await finish('damaged')
  const results = await Promise.all(asked.slice(1))
  t.ok(results.every(({ isLoaded }) => !isLoaded))
  t.equal(loads.length, 0)
  t.equal(lines.length, 2)
  const later = reloader.reload()
  t.equal(loads.length, 1, 'the next request starts a separate load')
  await finish('served')
  t.match(await later, { isLoaded: true })
})

t.test('a replaced file is loaded at the second check that finds it unchanged, and only once', async t => {
  const { file, lookUntilLoad } = await reloaded(t)
  t.equal(await lookUntilLoad('served'), 0, 'the file read at the start is not loaded again')
  for (const how of ['served', 'damaged'] as const) {
    writeFileSync(file, how)
    t.equal(await lookUntilLoad(how), 2, 'at the first check, the file may still be incomplete')
    t.equal(await lookUntilLoad(how), 0, `${how}: the file is not loaded again`)
  }
})

t.test('a new file with the same size and time is noticed', async t => {
  const { file, lookUntilLoad } = await reloaded(t)
  const second = new Date('2026-01-01')
  utimesSync(file, second, second)
  t.equal(await lookUntilLoad('served'), 2)
  const other = `${file}.new`
  writeFileSync(other, 'other')
  utimesSync(other, second, second)
  renameSync(other, file)
  t.equal(await lookUntilLoad('served'), 2)
  t.equal(await lookUntilLoad('served'), 0)
})

t.test('a file that could not be read is tried again, but not at every check', async t => {
  const { file, lines, lookUntilLoad } = await reloaded(t)
  writeFileSync(file, 'another')
  t.equal(await lookUntilLoad('not read'), 2)
  t.ok((await lookUntilLoad('served')) > 5)
  t.match(lines, [/not read; still serving the previous dataset/, /was loaded/])
  t.equal(await lookUntilLoad('served'), 0)
})

t.test('a file loaded on request is not loaded again by the watch', async t => {
  const { file, reloader, finish, lookUntilLoad } = await reloaded(t)
  writeFileSync(file, 'another')
  const asked = reloader.reload()
  await finish('served')
  await asked
  t.equal(await lookUntilLoad('served'), 0)
})

t.test(
  'changed decisions are loaded like a replaced snapshot; bad ones are refused with file and line, and not tried again',
  async t => {
    const decisions = join(temporaryDirectory(t), 'decisions.csv')
    const write = (row: string) => writeFileSync(decisions, `sku,gtin,text,code,country,who,day,why\n${row}\n`)
    write('A,,,8517,,Ali,2026-11-01,')
    const { file, lines, served, lookUntilLoad } = await reloaded(t, decisions)
    t.equal(await lookUntilLoad('served'), 0, 'the decisions that were read at the start are not loaded again')
    write('A-2,,,8517,,Ali,2026-11-01,')
    t.equal(await lookUntilLoad('served'), 2, 'at the first check, the file may still be incomplete')
    t.strictSame(served, ['A-2'])
    write('A-3,,,phones,,Ali,2026-11-01,')
    t.equal(await lookUntilLoad('served'), 2)
    t.match(lines.at(-1), /decisions\.csv:2: code is "phones".*; still serving the previous dataset/)
    t.equal(await lookUntilLoad('served'), 0)
    t.strictSame(served, ['A-2'], 'the old decisions stay in use')
    rmSync(decisions)
    t.equal(await lookUntilLoad('served'), 0, 'a missing file does not count as a change')
    write('A-4,,,8517,,Ali,2026-11-01,')
    t.equal(await lookUntilLoad('served'), 2)
    writeFileSync(file, 'another snapshot')
    t.equal(await lookUntilLoad('served'), 2)
    t.strictSame(served, ['A-2', 'A-4', 'A-4'])
  },
)

t.test('the results of reloads are counted, and a refusal is a problem until the next success', async t => {
  const { lines, seconds, reloader, finish } = await reloaded(t)
  const reload = async (how: Parameters<typeof finish>[0]) => {
    const asked = reloader.reload()
    await finish(how)
    await asked
  }
  const state = () => [reloader.loaded, reloader.refused, reloader.problem]
  await reload('damaged')
  t.strictSame(state(), [0, 1, 'damaged; still serving the previous dataset'])
  const startMs = performance.now()
  await reload('served')
  const tookSeconds = (performance.now() - startMs) / 1000
  t.strictSame(state(), [1, 1, undefined])
  t.ok((seconds[0] as number) <= tookSeconds, 'the time is in seconds')
  await reload('not read')
  t.match(state(), [1, 2, /^not read/])
  t.match(lines, [/^warning hsapi: damaged/, /^info hsapi: .* was loaded: HS 2022, 1 records$/, /^warning hsapi: not read/])
})

t.test('a reload that could not read the file does not make the watch load the file in use again', async t => {
  const { reloader, finish, lookUntilLoad } = await reloaded(t)
  const asked = reloader.reload()
  await finish('not read')
  await asked
  t.equal(await lookUntilLoad('served'), 0)
})

t.test('after a stop nothing is loaded, and the watch does not keep the process alive', async t => {
  const { loads, served, reloader, finish } = await reloaded(t)
  reloader.watch()
  const running = reloader.reload()
  const stopped = reloader.stop()
  await finish('served')
  await running
  await stopped
  t.equal(served.length, 1, 'a running reload is finished')
  t.strictSame(await reloader.reload(), { isLoaded: false, message: 'the server is stopping' })
  t.equal(loads.length, 0)
})
