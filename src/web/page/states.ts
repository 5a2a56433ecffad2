/** What the visitor sees where there is no answer: a sentence each, and a way on. */
import { type ComponentChildren, h as create, render } from 'preact'
import { MissingCode, NotCode } from '../app/record/missing.js'
import { Surrounded } from '../app/surroundings.js'
import { toBrowse, toSearch } from './address.js'
import type { Trouble } from './answer.js'
import { type Child, fill, fragment, h } from './dom.js'
import { t } from './language.js'
import { loadSuccessors } from './moved.js'
import { query } from './query.js'
import { surroundings } from './surroundings.js'
import { keyForm } from './views/key.js'

/** These fill a page and have its h1; others are part of a page and have an h2. */
const WHOLE_PAGE = ['empty', 'missing', 'lost']

function headingFor(kind: string): 'h1' | 'h2' {
  const isThere = document.documentElement.dataset.page === 'start' || document.querySelector('main h1') !== null
  return WHOLE_PAGE.includes(kind) || !isThere ? 'h1' : 'h2'
}

export function notice(kind: string, title: Child, text: Child, ...ways: Child[]): HTMLElement {
  return h(
    'section',
    { class: `notice notice-${kind}`, 'data-state': kind, role: 'status' },
    h(headingFor(kind), {}, title),
    h('p', {}, text),
    h('div', { class: 'ways' }, ways),
  )
}

export const button = (label: Child, onclick: () => void, props = {}) =>
  h('button', { type: 'button', class: 'button', ...props, onclick }, label)

/** The seconds are told as text that changes; screen readers are told once. */
export function countdown(kind: 'limit' | 'starting', seconds: number, go: () => void, done?: Child): HTMLElement {
  const shown = h('b', { class: 'seconds', 'aria-live': 'off' }, t.seconds(seconds))
  const [title, text] = kind === 'limit' ? [t.limitTitle, t.limitText] : [t.startingTitle, t.startingText]
  const again = seconds <= 60 ? null : button(t.again, go)
  const view = notice(kind, title, fragment(done && [done, ' '], fill(text, { seconds: shown })), again)
  view.dataset.seconds = String(seconds)
  return view
}

export const tick = (view: HTMLElement, seconds: number) => {
  const shown = view.querySelector('.seconds')
  if (shown) shown.textContent = t.seconds(seconds)
}

export const offline = (again: () => void) => notice('offline', t.offlineTitle, t.offlineText, button(t.again, again))

export const slow = (again: () => void) => notice('slow', t.slowTitle, t.slowText, button(t.again, again))

export const broken = (id: string | null, again: () => void) =>
  notice(
    'broken',
    t.brokenTitle,
    fragment(t.brokenText, id !== null && [' ', fill(t.brokenId, { id: h('code', {}, id) })]),
    button(t.again, again),
  )

export const lost = () =>
  notice(
    'lost',
    t.lostTitle,
    t.lostText,
    h('a', { class: 'button', href: toSearch('') }, t.toStart),
    h('a', { class: 'button', href: toBrowse() }, t.toBrowse),
  )

export const missingCode = (wanted: string, nearest: string | null, movedTo: readonly string[]) =>
  hosted(create(MissingCode, { wanted, nearest: nearest ?? '', movedTo, load: loadSuccessors }))

export const notCode = (text: string) => hosted(create(NotCode, { text }))

/** A component among elements that are not. */
function hosted(component: ComponentChildren): HTMLElement {
  const host = h('div', { class: 'island' })
  render(create(Surrounded, { value: surroundings() }, component), host)
  return host
}

/** Everything that does not wait by itself. */
export function troubleView(trouble: Trouble, again: () => void): HTMLElement {
  if (trouble.kind === 'key') return keyForm(trouble.reason)
  if (trouble.kind === 'missing') return missingCode('', trouble.nearest, trouble.movedTo)
  if (trouble.kind === 'offline') return offline(again)
  return broken(trouble.kind === 'broken' ? trouble.id : null, again)
}

export const searchPath = (q: string, within: string, level: string, rate: string, offset: number, limit: number) =>
  query('search', { q, within, level, rate, limit, offset: offset === 0 ? null : offset, include: 'path,rate,matched' })
