/** What all views know of the dataset: asked once, remembered. */
import { signal } from '@preact/signals'
import { ask, type Dataset, recall, type Section } from './api.js'
import { CHAPTERS_PATH, DATASET_PATH } from './first-paths.js'

let lineDigits = 12
let usualVat: number | null = null
/** Digits of the longest lines: 12 until the dataset's facts are here. */
export const longestLine = () => lineDigits
/** In per cent; null until the dataset's facts are here, or if it names none. */
export const usualVatRate = () => usualVat

const LEVELS = [2, 4, 6, 8, 12]

export interface Facts {
  levels: readonly number[]
  vatRate: number | null
  /** As `HS 2022`; '' where unknown. */
  edition: string
  /** Of the dataset; '' where unknown. */
  version: string
}

/** Version and edition, once a page has asked for the facts; null before. */
export const datasetShown = signal<Pick<Dataset, 'version' | 'edition'> | null>(null)

function learn({ line_digits, version, edition, vat_rate }: Dataset): void {
  usualVat = vat_rate
  datasetShown.value = { version, edition }
  if (line_digits.length > 0) lineDigits = Math.max(...line_digits)
}

/** Whether they are at hand, as with a document that the server rendered. */
export function recallFacts(): boolean {
  const answer = recall<Dataset>(DATASET_PATH)
  if (answer?.kind !== 'ok') return false
  learn(answer.data)
  return true
}

/** Never fails: without an answer the pages take what is usual. */
export async function facts(): Promise<Facts> {
  const answer = await ask<Dataset>(DATASET_PATH)
  if (answer.kind !== 'ok') return { levels: LEVELS, vatRate: null, edition: '', version: '' }
  learn(answer.data)
  const { levels, vat_rate, edition, version } = answer.data
  return { levels: Object.keys(levels).map(Number), vatRate: vat_rate, edition, version }
}

export async function sections(): Promise<Section[]> {
  const answer = await ask<Section[]>(CHAPTERS_PATH)
  return answer.kind === 'ok' ? answer.data : []
}
