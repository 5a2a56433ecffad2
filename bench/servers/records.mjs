/** The dataset as plain objects for the peers: the same records and words that we serve. */
import { buildRecords } from '../../dist/build/compiler/hierarchy.js'
import { readDataset } from '../../dist/build/dataset/read.js'

/** @returns {Promise<{record: object, keywords: string, searchable: boolean}[]>} */
export async function readRecords(directory) {
  const { rows, manifest } = await readDataset(directory)
  const all = buildRecords(rows, manifest)
  return all.map((one, i) => ({
    record: {
      hs_code: one.code,
      description: { en: one.en, ar: one.ar },
      level: one.code.length,
      parent_id: one.parent < 0 ? null : Number(`1${all[one.parent].code}`),
      tariff_rate: Number(one.rate),
      is_active: one.active,
    },
    keywords: [...one.keywordsEn, ...one.keywordsAr].join(' '),
    // padded lines repeat the words of another line
    searchable: one.active && one.source === i,
  }))
}
