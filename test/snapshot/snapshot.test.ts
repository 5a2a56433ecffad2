import t from 'tap'
import { compile } from '../../build/compiler/compile.js'
import { readDataset } from '../../build/dataset/read.js'
import { FORMAT_VERSION, HEADER_BYTES } from '../../src/snapshot/format.js'
import { loadSnapshot } from '../../src/snapshot/load.js'
import { FIXTURE } from '../support/service.js'
import { decodeSnapshot, encodeSnapshot } from '../support/snapshot.js'

async function fixtureBytes(): Promise<Buffer> {
  const dataset = await readDataset(FIXTURE)
  return encodeSnapshot(compile(dataset), dataset.digest)
}

t.test('the same dataset gives the same bytes', async t => {
  t.ok((await fixtureBytes()).equals(await fixtureBytes()))
})

t.test('a snapshot is read with the metadata and the number of columns that were written', async t => {
  const dataset = await readDataset(FIXTURE)
  const document = compile(dataset)
  const snapshot = decodeSnapshot(encodeSnapshot(document, dataset.digest), 'x')
  t.strictSame(snapshot.meta, document.meta)
  t.equal(Object.keys(snapshot.columns).length, document.directory.length)
})

t.test('columns are views of the bytes of the file, without a copy', async t => {
  const bytes = await fixtureBytes()
  const snapshot = decodeSnapshot(bytes, 'x')
  t.equal(snapshot.columns.arena?.buffer, bytes.buffer)
})

t.test('snapshots that are truncated, altered or of another version, and other files, are refused with their path', async t => {
  const good = await fixtureBytes()
  const edited = (edit: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(good)
    edit(bytes)
    return bytes
  }
  const refused = (bytes: Buffer, message: RegExp) => {
    t.throws(() => decodeSnapshot(bytes, 'some.snapshot'), { message: /^some\.snapshot: .*hsapi build/ })
    t.throws(() => decodeSnapshot(bytes, 'some.snapshot'), { message })
  }
  refused(Buffer.alloc(0), /not an hsapi snapshot/)
  refused(Buffer.from('PK\u0003\u0004 something else'), /not an hsapi snapshot/)
  refused(good.subarray(0, HEADER_BYTES - 1), /truncated within its header/)
  refused(good.subarray(0, HEADER_BYTES), /truncated: 0 of/)
  refused(good.subarray(0, -1), /truncated/)
  refused(Buffer.concat([good, Buffer.alloc(3)]), /3 bytes too many/)
  refused(
    edited(bytes => bytes.writeUInt32LE(FORMAT_VERSION + 1, 8)),
    new RegExp(`format version ${FORMAT_VERSION + 1}, but this server reads version ${FORMAT_VERSION}`),
  )
  for (const at of [HEADER_BYTES, HEADER_BYTES + 1000, good.length - 1]) {
    refused(
      edited(bytes => {
        bytes[at] = (bytes[at] as number) ^ 1
      }),
      /altered/,
    )
  }
})

t.test('a missing snapshot is reported with its path', async t => {
  await t.rejects(loadSnapshot('/nowhere/hs.snapshot'), {
    message: /^\/nowhere\/hs\.snapshot: there is no snapshot/,
  })
})
