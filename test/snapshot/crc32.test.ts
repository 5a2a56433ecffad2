import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { crc32, crc32Plain } from '../../src/snapshot/crc32.js'

t.test('the checksum is standard CRC-32', async t => {
  const check = Buffer.from('123456789')
  t.equal(crc32(check), 0xcbf43926)
  t.equal(crc32Plain(check), 0xcbf43926)
  for (const sum of [crc32, crc32Plain])
    t.equal(sum(check.subarray(4), sum(check.subarray(0, 4))), 0xcbf43926, 'the checksum of two pieces is that of the whole')
  for (const sum of [crc32, crc32Plain])
    t.equal(sum(new Uint8Array(0), 0xcbf43926), 0xcbf43926, 'an empty piece does not change the checksum')
})

t.test('the checksum in plain JavaScript equals that of zlib.crc32', { skip: zlibCrc32 === undefined }, async () => {
  fc.assert(fc.property(fc.uint8Array(), bytes => crc32Plain(bytes) === zlibCrc32(bytes)))
})
