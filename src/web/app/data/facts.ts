/** Facts about the dataset that all views use, requested once. */
import { signal } from '@preact/signals'
import { ask, type Dataset, recall, type Section } from './api.js'
import { CHAPTERS_PATH, DATASET_PATH } from './first-paths.js'

let lineDigits = 12
let usualVat: number | null = null
/** Number of digits of the longest lines; 12 until the facts are loaded. */
export const longestLine = () => lineDigits
/** In per cent; null until the facts are loaded, or if the dataset has no usual rate. */
export const usualVatRate = () => usualVat

const LEVELS = [2, 4, 6, 8, 12]

export interface Facts {
  levels: readonly number[]
  vatRate: number | null
  /** For example `HS 2022`; '' if unknown. */
  edition: string
  /** Version of the dataset; '' if unknown. */
  version: string
}

/** Version and edition; null until a page has loaded the facts. */
export const datasetShown = signal<Pick<Dataset, 'version' | 'edition'> | null>(null)

function learn({ line_digits, version, edition, vat_rate }: Dataset): void {
  usualVat = vat_rate
  datasetShown.value = { version, edition }
  if (line_digits.length > 0) lineDigits = Math.max(...line_digits)
}

/** Reads the facts from the cache, which contains them if the server rendered the document. Returns false otherwise. */
export function recallFacts(): boolean {
  const answer = recall<Dataset>(DATASET_PATH)
  if (answer?.kind !== 'ok') return false
  learn(answer.data)
  return true
}

/** Never fails: without an answer it returns defaults. */
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
