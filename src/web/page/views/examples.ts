/** Everyday names of a code, in both languages, the visitor's first. */
import type { Code } from '../api.js'
import { type Child, h } from '../dom.js'
import { lang, other, t } from '../language.js'

export function examples({ examples: names }: Code): Child {
  const row = (which: 'en' | 'ar') => {
    const list = names?.[which] ?? []
    if (list.length === 0) return null
    return h(
      'ul',
      { lang: which, dir: which === 'ar' ? 'rtl' : 'ltr' },
      list.map(name => h('li', {}, name)),
    )
  }
  const rows = [row(lang), row(other)]
  if (rows.every(one => one === null)) return null
  return h('div', { class: 'names' }, h('h2', { class: 'tongue' }, t.namesTitle), rows)
}
