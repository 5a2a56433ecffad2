/** The search index of the documentation pages, which the build writes and the page reads. */
import type { Language } from '../text/strings.js'

export interface IndexedPage {
  address: string
  title: string
  lang: Language
  /** Anchor, heading and text of each section; what stands before the first heading has neither anchor nor heading. */
  sections: readonly (readonly [anchor: string, heading: string, text: string])[]
}
