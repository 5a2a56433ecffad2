/** Resolves links of the documentation to the addresses where pages are served. */
import { docAddress, parseFileName } from './doc-files.js'

const OUTSIDE = /^https?:\/\//

export interface DocLinks {
  /** Names of the pages. */
  names: ReadonlySet<string>
  /** Addresses of images by their file names. */
  images: ReadonlyMap<string, string>
}

/** Undefined if no page is served for the target, for example a file of the repository. */
export function resolveLink({ names }: DocLinks, href: string): string | undefined {
  if (href.startsWith('#') || OUTSIDE.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const page = parseFileName(path)
  if (page === undefined || !names.has(page.name)) return undefined
  // a link to a translated file opens that language
  const query = page.lang === 'ar' ? '?lang=ar' : ''
  return docAddress(page.name) + query + (anchor === undefined ? '' : `#${anchor}`)
}
