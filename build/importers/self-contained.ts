/** Completes bare "Other" lines with their parent's words and the siblings that they exclude. */
import type { Entry, Language } from './layout.js'

const ONLY_OTHER_ENGLISH = /^others?(?:[,:].*)?$/i
const ONLY_OTHER_ARABIC = /^(?:غيرها|غيره|أخرى|أخر|غير ذلك)(?:[،:].*)?$/
/** Maximum number of siblings named: a long list would hide the goods of the line. */
const SIBLINGS_NAMED_MAX = 5
const NAME_CHARS_MAX = 80

interface Node {
  entry: Entry
  parent: Node | undefined
  children: Node[]
  /** Names of the children by the groups above them; filled on first use. */
  names: Partial<Record<Language, Map<string, string[]>>>
}

const PHRASES = {
  en: { onlyOther: ONLY_OTHER_ENGLISH, otherThan: ', other than ', and: ' and ', comma: ', ' },
  ar: { onlyOther: ONLY_OTHER_ARABIC, otherThan: '، عدا ', and: ' و', comma: '، ' },
} as const

function forest(entries: Entry[]): Node[] {
  const nodes = [...entries]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map((entry): Node => ({ entry, parent: undefined, children: [], names: {} }))
  const open: Node[] = []
  for (const node of nodes) {
    while (open.length > 0 && !node.entry.code.startsWith(open[open.length - 1].entry.code)) open.pop()
    node.parent = open[open.length - 1]
    node.parent?.children.push(node)
    open.push(node)
  }
  return nodes
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text
}

function groupOf(entry: Entry, language: Language): string {
  return (language === 'en' ? entry.contextEn : entry.contextAr).join('|')
}

/** Collected once for all children of the parent, because several of them may be bare "Other" lines. */
function namesOf(parent: Node, language: Language): Map<string, string[]> {
  const known = parent.names[language]
  if (known !== undefined) return known
  const names = new Map<string, string[]>()
  for (const { entry } of parent.children) {
    const text = entry[language]
    if (text === '' || text.length > NAME_CHARS_MAX || PHRASES[language].onlyOther.test(text)) continue
    const group = groupOf(entry, language)
    names.set(group, [...(names.get(group) ?? []).slice(0, SIBLINGS_NAMED_MAX), lowerFirst(text)])
  }
  parent.names[language] = names
  return names
}

function completedText(node: Node, language: Language): string {
  const { onlyOther, otherThan, and, comma } = PHRASES[language]
  const context = language === 'en' ? node.entry.contextEn : node.entry.contextAr
  // the nearest group is more specific than the parent; siblings are codes of the same group
  const above = context.filter(text => !onlyOther.test(text)).at(-1) ?? node.parent?.entry[language] ?? ''
  if (above === '') return node.entry[language]
  const named = node.parent === undefined ? [] : [...(namesOf(node.parent, language).get(groupOf(node.entry, language)) ?? [])]
  if (named.length === 0 || named.length > SIBLINGS_NAMED_MAX) {
    return language === 'en' ? `Other: ${lowerFirst(above)}` : `غيرها من: ${above}`
  }
  const last = named.pop() as string
  return above + otherThan + (named.length === 0 ? last : named.join(comma) + and + last)
}

/** Works from the top down, because children use the words of a completed parent. Returns how many were completed. */
export function makeSelfContained(entries: Entry[]): number {
  let completed = 0
  for (const node of forest(entries)) {
    let changed = false
    for (const language of ['en', 'ar'] as const) {
      if (!PHRASES[language].onlyOther.test(node.entry[language])) continue
      const text = completedText(node, language)
      changed ||= text !== node.entry[language]
      node.entry[language] = text
    }
    if (changed) completed++
  }
  return completed
}
