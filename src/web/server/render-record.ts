/** Renders a record with the browser's components, and its title and description for search engines and previews. */
import { h } from 'preact'
import type { PathStep } from '../../answers/shapes.js'
import type { RecordData, WholeRecord } from '../app/record/data.js'
import { RecordPage } from '../app/record/record.js'
import { cut, fillText } from '../app/text/written.js'
import { rateText, statusText } from '../app/ui/parts.js'
import { wordsIn } from '../app/ui/surroundings.js'
import { DESCRIPTION_CHARS, type Look, type RenderedView, renderIn } from './render-parts.js'
import { renderStrings } from './render-strings.js'

export function renderRecord(look: Look, data: RecordData): RenderedView {
  const { hs_code, description } = data.record
  const main = renderIn(look, h(RecordPage, data))
  return { title: `${hs_code} ${wordsIn(look, description)}`, description: describe(look, data.record), main }
}

function describe(look: Look, { hs_code, description, path, tariff_rate, rate }: WholeRecord): string {
  const texts = renderStrings[look.lang]
  const tariff = look.t.countries[rate.country ?? ''] ?? ''
  const shown = statusText(look.t, rate) ?? rateText(tariff_rate, rate)
  const parts = { code: hs_code, words: wordsIn(look, description), rate: shown, tariff }
  const under = path.length === 0 ? '' : fillText(texts.under, { path: pathText(look, path) })
  return cut(fillText(texts.recordDescription, parts) + under, DESCRIPTION_CHARS)
}

const pathText = (look: Look, path: readonly PathStep[]) =>
  path.map(({ hs_code, description }) => `${hs_code} ${wordsIn(look, description)}`).join(' › ')
