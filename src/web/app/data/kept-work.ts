/** The visitor's work on the check page. */
import type { Candidate, Classified, Verdict } from '../../../answers/shapes.js'
import type { Resolved } from './api.js'
import { type Stored, WorkStore } from './work-store.js'

/** A row's code compared with its description of the goods. */
export interface Compared {
  status: Classified['status']
  /** Null if the row has no existing code. */
  verdict: Verdict['status'] | null
  /** Better codes, best first; empty if description and code agree. */
  candidates: readonly Candidate[]
}

/** Codes that the visitor accepted, by row. `tariff_rate` is null if it is unknown for the country. */
export type Accepted = ReadonlyMap<number, Pick<Candidate, 'hs_code' | 'description'> & { tariff_rate: number | null }>

/** A started check with its results so far. */
export interface Checked {
  atMs: number
  text: string
  column: number
  edition: string
  /** The country whose rates the results have; '' is the common tariff. */
  country: string
  results: (Resolved | null)[]
  isStopped: boolean
  /** The status that the table is filtered by; '' for all. */
  only: string
  shownMax: number
  /** The column that describes the goods; -1 for none. */
  words?: number
  /** By row, for the rows compared so far; null for a row without a description. */
  compared?: readonly (Compared | null)[]
  accepted?: Accepted
}

export interface Work extends Stored {
  text: string
  /** The column that the visitor chose, if any. */
  column: number | null
  /** The same for the column that describes the goods; -1 for none. */
  words?: number | null
  edition: string
  checked: Checked | null
}

/** Rates change with the dataset, so older results are dropped. The codes stay. */
export const RESULTS_MS = 24 * 3600_000

const works = new WorkStore<Work>({ database: 'hsapi', store: 'check', tab: 'hsapi-check' })

export const currentWork = (address: string) => works.current(address)

export async function findWork(address: string): Promise<Work | undefined> {
  const found = await works.find(address)
  const isOld = Date.now() - (found?.checked?.atMs ?? 0) > RESULTS_MS
  return found && isOld ? { ...found, checked: null } : found
}

export const saveWork = (work: Omit<Work, 'id' | 'savedMs'>) => works.save(work)
export const flushWork = () => works.flush()
export const forgetWork = () => works.forget()
