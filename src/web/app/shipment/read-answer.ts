/** Reads the text of an estimate's answer, and keeps every digit of its amounts. */
import { readExact } from '../estimate/shipment.js'
import type { EstimateAnswer } from './reduce.js'

export function readAnswer(text: string): EstimateAnswer {
  const { items, totals, fees } = readExact<unknown>(text) as unknown as EstimateAnswer
  return { items, totals, fees: fees ?? [] }
}
