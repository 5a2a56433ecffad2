/**
 * Resources that a model may read: the method of classification, the general rules, the notes of chapters and sections, and the
 * dataset in use.
 */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Catalog } from '../catalog/catalog.js'
import { dataset } from '../questions/dataset.js'
import { notes } from '../questions/notes.js'
import { Refusal } from '../questions/refusal.js'
import { sectionScope } from '../snapshot/section-scope.js'
import { METHOD } from './method.js'
import { noteFields, noteLine } from './notes.js'

const RULES = 'rules'
/** The maximum that the protocol allows. */
const COMPLETIONS_MAX = 100
const MARKDOWN = 'text/markdown'
const JSON_TYPE = 'application/json'
const LANGUAGES = ['en', 'ar'] as const
type Language = (typeof LANGUAGES)[number]

const content = (uri: string, mimeType: string, text: string) => ({ contents: [{ uri, mimeType, text }] })

export function registerResources(server: McpServer, catalog: Catalog): void {
  const page = (name: string, uri: string, title: string, mimeType: string, read: () => string) =>
    server.registerResource(name, uri, { title, mimeType }, () => content(uri, mimeType, read()))
  page('how-to-classify', 'hsapi://how-to-classify', 'How to classify goods', MARKDOWN, () => METHOD)
  page('rules', `hsapi://notes/${RULES}`, 'The general rules of classification', MARKDOWN, () => notesText(catalog, RULES, 'en'))
  page('dataset', 'hsapi://dataset', 'Edition, version and dates of the dataset', JSON_TYPE, () => datasetText(catalog))
  const complete = {
    scope: (start: string) =>
      scopesOf(catalog)
        .filter(scope => scope.startsWith(start))
        .slice(0, COMPLETIONS_MAX),
  }
  for (const language of LANGUAGES) {
    const template = `hsapi://${language === 'en' ? '' : `${language}/`}notes/{scope}`
    server.registerResource(
      language === 'en' ? 'notes' : `notes-${language}`,
      // not listed, because there are about a hundred chapters
      new ResourceTemplate(template, { list: undefined, complete }),
      {
        title: `Legal notes of a chapter or section (${language})`,
        description: `scope is a chapter of two digits, a section such as S16, or ${RULES}`,
        mimeType: MARKDOWN,
      },
      ({ href }, { scope }) => content(href, MARKDOWN, notesText(catalog, String(scope), language, href)),
    )
  }
}

function scopesOf({ meta }: Catalog): string[] {
  const sections = meta.sections.map(({ section }) => sectionScope(section))
  return [RULES, ...meta.sections.flatMap(({ chapters }) => chapters), ...sections]
}

function notesText(catalog: Catalog, scope: string, language: Language, uri = ''): string {
  const found = notes(catalog, scope)
  if (found instanceof Refusal) throw new ResourceNotFoundError(uri, found.message)
  const lines = Array.from(found, note => `- ${noteLine(noteFields(catalog, note, language))}`)
  return lines.length === 0 ? 'The dataset has no notes for this scope.' : lines.join('\n')
}

function datasetText(catalog: Catalog): string {
  const { edition, version, records, line_digits, languages } = dataset(catalog)
  const { rateSources, controls, countries } = catalog.meta
  return JSON.stringify({
    edition,
    version,
    records,
    line_digits,
    languages,
    rates_date: newest(rateSources),
    controls_date: newest(controls),
    country_lists: Object.fromEntries(countries.map(({ code, lists }) => [code, newest(lists)])),
  })
}

const newest = (dated: readonly { date: string }[]): string | null =>
  dated.reduce<string | null>((latest, { date }) => (latest === null || date > latest ? date : latest), null)
