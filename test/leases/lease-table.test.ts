import t from 'tap'
import { LeaseTable } from '../../src/leases/lease-table.js'

t.test('a process has one random id, the same in all of its threads', async t => {
  const ids = Array.from({ length: 50 }, () => {
    const table = LeaseTable.create(1, true)
    t.ok(table.buffer instanceof SharedArrayBuffer)
    t.equal(new LeaseTable(table.buffer).replicaId, table.replicaId)
    return table.replicaId
  })
  for (const id of ids) t.match(id, /^[0-9a-f]{16}$/)
  t.equal(new Set(ids.map(id => id.slice(0, 8))).size, ids.length)
  t.equal(new Set(ids.map(id => id.slice(8))).size, ids.length)
})

t.test('a new process knows of no other replica, and its table is not in shared memory unless threads share it', async t => {
  const table = LeaseTable.create(4)
  t.equal(table.others, 0)
  t.notOk(table.buffer instanceof SharedArrayBuffer)
  t.strictSame(table.figures, { asked: 0, waited: 0, alone: 0, lost: 0, tripTicks: 0 })
})

t.test('columns do not overlap', async t => {
  const table = LeaseTable.create(3)
  const columns = [
    table.refusedUntil,
    table.requestedAt,
    table.unreportedMinute,
    table.unreportedDay,
    table.prefetch,
    table.prefetchBelow,
    table.leftMinute,
    table.leftDay,
    table.aloneMinute,
    table.aloneDay,
  ]
  columns.forEach((column, i) => void column.fill(i + 1))
  columns.forEach((column, i) => void t.strictSame([...column], [i + 1, i + 1, i + 1]))
  t.strictSame(table.figures, { asked: 0, waited: 0, alone: 0, lost: 0, tripTicks: 0 })
  t.equal(table.others, 0)
})

t.test('the shares of all replicas add up to what is left, for a minute and for a day', async t => {
  for (const left of [0, 1, 7, 9, 10]) {
    let sum = 0
    for (let rank = 0; rank < 3; rank++) {
      const table = LeaseTable.create(1)
      table.presence = { replicas: 3, rank }
      table.leftMinute[0] = rank === 1 ? 100 : left
      table.leftDay[0] = rank === 1 ? left : 100
      sum += table.share(0)
    }
    t.equal(sum, left)
  }
})

t.test('locally admitted requests are subtracted from the shares of the minute and of the day', async t => {
  const table = LeaseTable.create(1)
  table.leftMinute[0] = 10
  table.leftDay[0] = 20
  t.equal(table.share(0), 10)
  table.aloneMinute[0] = 4
  t.equal(table.share(0), 6)
  table.aloneDay[0] = 15
  t.equal(table.share(0), 5)
  table.leftMinute[0] = -3
  t.equal(table.share(0), -4, 'nothing is left, and four requests were already admitted')
})
