import { rm, writeFile } from 'node:fs/promises'
import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { KeyFile } from '../../src/keys/key-file.js'
import type { KeyRecord } from '../../src/keys/key-record.js'
import { KeyList, LISTED_KEYS_MAX } from '../../src/process/key-list.js'
import { FileKeyRows, RedisKeyRows } from '../../src/process/key-rows.js'
import { makeKey, temporaryDirectory } from '../support/service.js'

const TODAY = '2026-05-04'
const ALL = { search: '', status: undefined, offset: 0, limit: 100 }
/** One key for all records, because hashing is slow. */
const { record: one } = makeKey('pro')
const recordOf = (i: number, more: Partial<KeyRecord> = {}) => ({ ...one, id: `id${i}`, name: `Company ${i}`, ...more })

/** Writes a real key file. */
async function listOf(t: Test, records: KeyRecord[]) {
  const file = new KeyFile(temporaryDirectory(t))
  await file.replace(records)
  const list = new KeyList(new FileKeyRows(file), () => records.length)
  t.teardown(() => list.forget())
  return { list, file }
}

t.test('keys are listed by page, the newest first, and only changed keys are read again', async t => {
  const { list, file } = await listOf(
    t,
    Array.from({ length: 250 }, (_, i) => recordOf(i)),
  )
  const first = await list.find(ALL, TODAY)
  t.equal(first.total, 250)
  t.equal(first.views.length, 100)
  t.equal(first.views[0]?.id, 'id249')
  t.equal((await list.find({ ...ALL, offset: 240 }, TODAY)).views.at(-1)?.id, 'id0', 'the last page ends with the oldest key')
  t.equal((await list.find(ALL, TODAY)).views[0], first.views[0], 'an unchanged file is not read again')
  await file.put([recordOf(250)])
  await file.revoke('id248', '2026-05-04T12:00:00+00:00')
  const [added, same, revoked] = (await list.find(ALL, TODAY)).views
  t.equal(added?.id, 'id250')
  t.equal(same, first.views[0], 'an unchanged line is not parsed again')
  t.equal(revoked?.revoked_at, '2026-05-04T12:00:00+00:00')
  list.forget()
  t.equal((await list.get('id7'))?.name, 'Company 7')
  t.equal(await list.get('id999'), undefined)
})

t.test('the list has the keys of a file that was edited by hand, and those of the copy if the file is missing', async t => {
  const { list, file } = await listOf(t, [recordOf(1), recordOf(2)])
  await writeFile(file.path, JSON.stringify({ version: 1, keys: [recordOf(3), recordOf(4)] }, null, 2))
  t.strictSame(
    (await list.find(ALL, TODAY)).views.map(({ id }) => id),
    ['id4', 'id3'],
  )
  await rm(file.path)
  t.equal((await list.find(ALL, TODAY)).total, 2, 'the keys are those of the copy')
  await rm(file.copy?.path ?? '')
  await writeFile(file.path, JSON.stringify({ version: 1, keys: [] }))
  t.equal((await list.find(ALL, TODAY)).total, 0)
  await writeFile(file.path, 'nonsense')
  await t.rejects(list.find(ALL, TODAY), /is not JSON/)
})

t.test('a search finds parts of names and ids, in upper or lower case; the list has no hashes', async t => {
  const { list } = await listOf(t, [
    recordOf(1, { name: 'Gulf Freight' }),
    recordOf(2, { name: 'شركة النور', revoked_at: '2026-01-01T00:00:00+00:00' }),
    recordOf(3, { name: 'gulf air', expires_at: '2026-05-03' }),
  ])
  const ids = async (search: string, status?: 'active' | 'expired' | 'revoked') =>
    (await list.find({ ...ALL, search, status }, TODAY)).views.map(({ id }) => id)
  t.strictSame(await ids('GULF'), ['id3', 'id1'])
  t.strictSame(await ids('النور'), ['id2'])
  t.strictSame(await ids(' ID1 '), ['id1'])
  t.strictSame(await ids('', 'revoked'), ['id2'])
  t.strictSame(await ids('gulf', 'active'), ['id1'])
  t.strictSame(await ids('', 'expired'), ['id3'])
  t.notMatch(JSON.stringify((await list.find(ALL, TODAY)).views), /hash|checksum/)
})

t.test('a hundred thousand keys are searched in slices; more keys than the limit are refused', async t => {
  const { list } = await listOf(
    t,
    Array.from({ length: 100_000 }, (_, i) => recordOf(i)),
  )
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const { views, total } = await list.find({ ...ALL, search: 'company 99999' }, TODAY)
  clearInterval(timer)
  t.strictSame([total, views[0]?.id], [1, 'id99999'])
  t.ok(turns > 1, 'requests can be answered during the search')
  const many = new KeyList(
    { read: () => Promise.reject(new Error('the keys must not be read')), forget: () => {} },
    () => LISTED_KEYS_MAX + 1,
  )
  await t.rejects(many.find(ALL, TODAY), /there are more than 200000 keys/)
  const most = new KeyList({ read: async () => [], forget: () => {} }, () => LISTED_KEYS_MAX)
  t.teardown(() => most.forget())
  t.equal((await most.find(ALL, TODAY)).total, 0)
})

t.test(
  'keys in Redis are listed by time, then by id, the last first; only changes are read again, or all if Redis lost its data',
  async t => {
    const at = (second: number) => ({ created_at: `2026-05-01T00:00:0${second}+00:00` })
    const asked: unknown[] = []
    let next: unknown
    const rows = new RedisKeyRows(
      async () =>
        ({
          since: async (version: unknown) => {
            asked.push(version)
            return Array.isArray(next) ? next.shift() : next
          },
        }) as never,
    )
    const read = async (found: unknown) => {
      next = found
      return (await rows.read()).map(({ view }) => `${view.id} ${view.name}`)
    }
    const all = [recordOf(1, at(1)), recordOf(3, at(2)), recordOf(2, at(2))]
    t.strictSame(await read({ version: 'v1', records: all, areAll: true }), ['id3 Company 3', 'id2 Company 2', 'id1 Company 1'])
    const same = await rows.read()
    next = { version: 'v2', records: [], areAll: false }
    t.equal(await rows.read(), await rows.read(), 'the list is the same object if nothing changed')
    t.ok(same)
    const changes = [recordOf(4, at(3)), recordOf(1, { ...at(1), name: 'renamed' })]
    t.strictSame(await read({ version: 'v3', records: changes, areAll: false }), [
      'id4 Company 4',
      'id3 Company 3',
      'id2 Company 2',
      'id1 renamed',
    ])
    t.strictSame(await read(['lost', { version: 'v4', records: [recordOf(5)], areAll: true }]), ['id5 Company 5'])
    t.strictSame(asked.slice(-2), ['v3', undefined])
    t.strictSame(await read(undefined), [], 'no key was ever created')
    t.strictSame(await read({ version: 'v5', records: [recordOf(6)], areAll: true }), ['id6 Company 6'])
    t.equal(asked.at(-1), undefined, 'all keys are read')
    rows.forget()
    await rows.read()
    t.equal(asked.at(-1), undefined)
  },
)

t.test('an unchanged file is read once', async t => {
  class Counted extends KeyFile {
    reads = 0
    override readLines(...args: Parameters<KeyFile['readLines']>) {
      this.reads++
      return super.readLines(...args)
    }
  }
  const file = new Counted(temporaryDirectory(t))
  await file.replace([recordOf(1)])
  const rows = new FileKeyRows(file)
  const first = await rows.read()
  const { reads } = file
  t.equal(await rows.read(), first)
  t.equal(file.reads, reads)
})

t.test('if the file is damaged, the list has the keys of the copy', async t => {
  const { list, file } = await listOf(t, [recordOf(1), recordOf(2)])
  await writeFile(file.path, '{"version":1,"keys":[\n{"id":7}\n]}\n')
  t.equal((await list.find(ALL, TODAY)).total, 2)
})

t.test('keys of the same second are listed by id, in whatever order Redis returns them', async t => {
  const records = [recordOf(2), recordOf(3), recordOf(1)]
  const rows = new RedisKeyRows(async () => ({ since: async () => ({ version: 'v1', records, areAll: true }) }) as never)
  t.strictSame(
    (await rows.read()).map(({ view }) => view.id),
    ['id3', 'id2', 'id1'],
  )
})

t.test('a list is forgotten a minute after it was last viewed', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  let forgotten = 0
  const list = new KeyList({ read: async () => [], forget: () => forgotten++ }, () => 0)
  await list.find(ALL, TODAY)
  mock.timers.tick(40_000)
  await list.find(ALL, TODAY)
  mock.timers.tick(59_999)
  t.equal(forgotten, 0)
  mock.timers.tick(1)
  t.equal(forgotten, 1)
})
