/** Tags for search engines and link previews: canonical address, other language, title and description. */
import type { PathStep } from '../../answers/shapes.js'
import { escaped } from '../app/shell/frame.js'
import { strings } from '../app/text/strings.js'
import { wordsIn } from '../app/ui/surroundings.js'
import { dataElement } from './data-element.js'
import type { Look } from './render-parts.js'

interface Head {
  look: Look
  /** Path without parameters. */
  path: string
  title: string
  description: string
  /** HSAPI_PUBLIC_URL without a trailing slash; '' if it is not set. Never taken from a request. */
  publicUrl: string
  /** For a record: the codes above it, then the record. */
  steps?: readonly PathStep[]
  /** For example `HS 2022`. */
  edition?: string
}

/** Without a public address, links are relative, and tags that need absolute addresses are left out. */
export function headMarkup({ look, path, title, description, publicUrl, steps = [], edition = '' }: Head): string {
  const at = (lang: 'en' | 'ar' | null) => publicUrl + look.address(path, lang)
  const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`
  const alternate = (hreflang: string, href: string) => `<link rel="alternate" hreflang="${hreflang}" href="${escaped(href)}">`
  const lines = [
    `<link rel="canonical" href="${escaped(at(look.lang))}">`,
    alternate('en', at('en')),
    alternate('ar', at('ar')),
    alternate('x-default', at(null)),
    property('og:type', 'website'),
    property('og:site_name', strings[look.lang].brand),
    property('og:title', title),
    property('og:description', description),
    property('og:locale', look.lang === 'ar' ? 'ar_AR' : 'en_US'),
  ]
  if (publicUrl !== '') {
    lines.push(property('og:url', at(look.lang)))
    if (steps.length > 0)
      lines.push(dataElement('application/ld+json', [JSON.stringify(linkedData(look, steps, edition, publicUrl))]).join(''))
  }
  return lines.map(line => `${line}\n`).join('')
}

/** JSON-LD with types of schema.org. */
function linkedData(look: Look, steps: readonly PathStep[], edition: string, publicUrl: string): object {
  const address = (code: string) => publicUrl + look.address(`/code/${code}`)
  const [last] = steps.slice(-1) as [PathStep]
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'DefinedTerm',
        termCode: last.hs_code,
        name: wordsIn(look, last.description),
        url: address(last.hs_code),
        inDefinedTermSet: edition,
        inLanguage: look.lang,
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: steps.map(({ hs_code, description }, i) => ({
          '@type': 'ListItem',
          position: i + 1,
          name: `${hs_code} ${wordsIn(look, description)}`,
          item: address(hs_code),
        })),
      },
    ],
  }
}
