/** The page's strings and the format of figures. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { adminStrings } from './strings.js'

const Context = createContext(adminStrings.en)
export const InLanguage = Context.Provider
export const useStrings = () => useContext(Context)

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
export const figure = (n: number) => number.format(n)

const MS = 1_000

export function duration(us: number | null): string {
  // null: more than the largest bucket of the histogram
  if (us === null) return '> 1 s'
  if (us >= 1_000_000) return `${figure(us / 1_000_000)} s`
  return us >= MS ? `${figure(us / MS)} ms` : `${figure(us)} µs`
}

/** 2026-11-17 15:04, UTC. */
export const moment = (iso: string) => new Date(iso).toISOString().slice(0, 16).replace('T', ' ')
