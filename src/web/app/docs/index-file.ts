/** The search index of the documentation pages, which the build writes and the page reads. */
import type { Language } from '../text/strings.js'

export interface IndexedPage {
  address: string
  title: string
  lang: Language
  /** Anchor, heading and text of each section. For text before the first heading, anchor and heading are ''. */
  sections: readonly (readonly [anchor: string, heading: string, text: string])[]
}
