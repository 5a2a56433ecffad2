/** What main.ts needs of a view, and a view of main.ts. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Route } from '../data/address.js'

export interface View {
  title: string
  /** Takes a new address of the same page without being built again; false if it cannot. */
  update?: (route: Route, isTyped?: boolean) => boolean
  leave?: () => void
}

export interface Page {
  main: HTMLElement
  /** Goes to an address as a link does. */
  go: (address: string) => void
  /** Writes the address of a state that the visitor need not come back to. */
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
