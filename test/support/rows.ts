/** Returns a row of a dataset, for tests of rules without files. */
import type { Row } from '../../build/dataset/rows.js'

export const row = (code: string, changes: Partial<Row> = {}): Row => ({
  file: `chapters/${code.slice(0, 2)}.csv`,
  line: 2,
  hs_code: code,
  description_en: `Goods of ${code}`,
  description_ar: `بضائع ${code}`,
  tariff_rate: '',
  is_active: '',
  keywords_en: '',
  keywords_ar: '',
  ...changes,
})
