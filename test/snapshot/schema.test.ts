import { Unpackr } from 'msgpackr/unpack'
import t from 'tap'
import { compile } from '../../build/compiler/compile.js'
import { readDataset } from '../../build/dataset/read.js'
import { type DirectoryEntry, layOutColumns } from '../../src/snapshot/columns.js'
import { type CompiledDocument, HEADER_BYTES } from '../../src/snapshot/format.js'
import { COLUMN_NAMES, SCHEMA } from '../../src/snapshot/schema.js'
import { FIXTURE } from '../support/service.js'
import { decodeSnapshot, encodeSnapshot } from '../support/snapshot.js'

const dataset = await readDataset(FIXTURE)
const compiled = compile(dataset)

/** Encodes a snapshot with a changed directory of columns but a valid checksum, as an older program might write. */
async function snapshotWith(edit: (document: CompiledDocument) => void): Promise<Buffer> {
  const document = { ...compiled, directory: compiled.directory.map(entry => [...entry] as DirectoryEntry) }
  edit(document)
  return encodeSnapshot(document, dataset.digest)
}

t.test('a snapshot with a missing or unknown column is refused, and the message names the column', async t => {
  for (const name of COLUMN_NAMES) {
    const bytes = await snapshotWith(document => {
      document.directory = document.directory.filter(([column]) => column !== name)
    })
    t.throws(() => decodeSnapshot(bytes, 'some.snapshot'), {
      message: new RegExp(`^some\\.snapshot: .*it lacks the column ${name}; run "hsapi build"`),
    })
  }
  const withUnknown = await snapshotWith(document => document.directory.push(['colour', 'u8', 0, 1]))
  t.throws(() => decodeSnapshot(withUnknown, 'some.snapshot'), { message: /it has a column colour/ })
})

t.test('a column with a wrong type, length or offset is refused, and the message names the column', async t => {
  const refused = async (message: RegExp, edit: (entry: [string, string, number, number]) => void) => {
    for (const name of COLUMN_NAMES) {
      const bytes = await snapshotWith(document => {
        edit(document.directory.find(([column]) => column === name) as [string, string, number, number])
      })
      t.throws(() => decodeSnapshot(bytes, 'some.snapshot'), { message }, `a changed column ${name} is refused`)
    }
  }
  await refused(/its column \w+ is of type f32 instead of/, entry => {
    entry[1] = 'f32'
  })
  for (const offset of [2 ** 40, -8, 4, 0.5])
    await refused(/its column \w+ does not fit the block/, entry => {
      entry[2] = offset
    })
  for (const name of COLUMN_NAMES) {
    const bytes = await snapshotWith(document => {
      const entry = document.directory.find(([column]) => column === name) as DirectoryEntry
      const width = { u8: 1, u16: 2, u32: 4, i16: 2, i32: 4, f64: 8 }[SCHEMA[name].type]
      const blockBytes = document.blockPieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      // the first offset with which the column extends beyond the block
      entry[2] = Math.floor((blockBytes - entry[3] * width) / 8) * 8 + 8
    })
    t.throws(
      () => decodeSnapshot(bytes, 'x'),
      { message: /its column \w+ does not fit the block/ },
      `a column ${name} that extends beyond the block is refused`,
    )
  }
  const shorter = await snapshotWith(document => {
    const entry = document.directory.find(([column]) => column === 'level') as [string, string, number, number]
    entry[3]--
  })
  t.throws(() => decodeSnapshot(shorter, 'x'), { message: /its column level has \d+ entries instead of \d+/ })
})

t.test('the build writes every column with its type and length', async t => {
  const { directory } = compiled
  t.strictSame(
    directory.map(([name]) => name),
    COLUMN_NAMES,
  )
  t.ok(directory.every(([name, type]) => SCHEMA[name as keyof typeof SCHEMA].type === type))
  const { columns } = decodeSnapshot(encodeSnapshot(compiled, dataset.digest), 'x')
  t.throws(() => layOutColumns({ ...columns, active: columns.active.slice(1) }), /the column active has/)
})

t.test('any msgpack reader can open the document', async t => {
  const body = encodeSnapshot(compiled, dataset.digest).subarray(HEADER_BYTES)
  const document = new Unpackr({ useRecords: false }).unpack(body)
  t.strictSame(Object.keys(document), ['block', 'directory', 'meta', 'vocabulary'])
})
