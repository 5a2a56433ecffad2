/** The interface between main.ts and the views. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Route } from '../data/address.js'

export interface View {
  title: string
  /** Shows another address without rebuilding the view. Returns false if the view cannot show the address. */
  update?: (route: Route, isTyped?: boolean) => boolean
  leave?: () => void
}

export interface Page {
  main: HTMLElement
  /** Goes to an address as a link does. */
  go: (address: string) => void
  /** Replaces the address without a new entry in the history. */
  note: (address: string) => void
  setTitle: (title: string) => void
}

const Context = createContext<Page | undefined>(undefined)
export const OnPage = Context.Provider

export function usePage(): Page {
  const page = useContext(Context)
  if (page === undefined) throw new Error('a component that needs a page is rendered outside of one')
  return page
}
