/** The context of all components, the same on the server and in the browser. */
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { Description } from '../../../answers/shapes.js'
import type { Language, Strings } from '../text/strings.js'

export interface Surroundings {
  readonly lang: Language
  /** The other language. */
  readonly other: Language
  readonly t: Strings
  /** Number of digits of the longest lines. */
  readonly longestLine: number
  /** The address of a page in this language and country. */
  to(path: string, parameters?: Readonly<Record<string, string>>): string
}

const Context = createContext<Surroundings | undefined>(undefined)

export const Surrounded = Context.Provider

export function useSurroundings(): Surroundings {
  const surroundings = useContext(Context)
  if (surroundings === undefined) throw new Error('a component is rendered outside of its surroundings')
  return surroundings
}

/** False in the first render, which must equal the server's HTML. Parts that need script appear after it. */
export function useIsMounted(): boolean {
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted
}

/** The page's language if the text exists in it, otherwise the other one. */
export const languageOf = ({ lang, other }: Surroundings, text: Description): Language => (text[lang] ? lang : other)

/** The description in the language of `languageOf`. */
export const wordsIn = (surroundings: Surroundings, text: Description) => text[languageOf(surroundings, text)]
