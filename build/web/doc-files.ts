/** The documentation pages with their languages, order, groups and addresses. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GroupName } from '../../src/web/app/docs/docs-shell.js'

/** Pages that are missing here come last. */
const GROUPS: Readonly<Record<GroupName, readonly string[]>> = {
  start: ['getting-started', 'explorer'],
  use: [
    ...['api', 'api-lookup', 'api-search', 'api-codes', 'api-estimate', 'api-http'],
    ...['classify', 'countries', 'client', 'clients', 'cli', 'library', 'changes', 'agents', 'embed'],
  ],
  run: [
    ...['operations', 'deploy', 'settings', 'proxy', 'keys', 'monitoring', 'runbook', 'upgrade', 'backup', 'engines'],
    ...['replicas', 'own-tariff', 'load-testing', 'faults'],
  ],
  background: ['search-quality', 'performance', 'capacity', 'dependencies', 'development'],
}
const LAST_GROUP = 'background'

/** The address `/docs/api` is used by the interactive contract. */
const SERVED_AS: Readonly<Record<string, string>> = { api: 'http-api' }

/** Last part of the address. */
export const servedName = (name: string) => SERVED_AS[name] ?? name
export const docAddress = (name: string) => `/docs/${servedName(name)}`

const ENDING = '.md'
const ARABIC_ENDING = '.ar.md'

/** Parses the page name and the language from a file name: `cli.md`, `cli.ar.md`. */
export function parseFileName(file: string): { name: string; lang: 'en' | 'ar' } | undefined {
  if (file.includes('/')) return undefined
  if (file.endsWith(ARABIC_ENDING)) return { name: file.slice(0, -ARABIC_ENDING.length), lang: 'ar' }
  return file.endsWith(ENDING) ? { name: file.slice(0, -ENDING.length), lang: 'en' } : undefined
}

export interface DocFile {
  name: string
  group: GroupName
  markdown: { en: string; ar?: string }
}

export function readDocFiles(folder: string): DocFile[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const files = new Set(readdirSync(folder))
  const names = [...files].flatMap(file => {
    const page = parseFileName(file)
    if (page?.lang === 'ar' && !files.has(page.name + ENDING))
      throw new Error(`docs/${file} has no ${page.name}${ENDING} beside it`)
    return page?.lang === 'en' ? [page.name] : []
  })
  const groups = Object.entries(GROUPS) as [GroupName, readonly string[]][]
  const listed = groups.flatMap(([group, order]) => order.filter(name => names.includes(name)).map(name => ({ name, group })))
  const others = names.filter(name => !listed.some(one => one.name === name)).sort()
  return [...listed, ...others.map(name => ({ name, group: LAST_GROUP as GroupName }))].map(({ name, group }) => {
    const en = read(name + ENDING)
    const hasArabic = files.has(name + ARABIC_ENDING)
    return { name, group, markdown: hasArabic ? { en, ar: read(name + ARABIC_ENDING) } : { en } }
  })
}
