/** The keys of one page, with what they used. Rows stay while their figures change, so that focus stays too. */
import { type Child, fill, fillText, h, replace } from '../app/dom/dom.js'
import type { ListedKey } from './api.js'
import { openRevoke, openRotate, titleText } from './dialogs.js'
import { figure, ltr, moment, t } from './language.js'

const HEADS = [t.thKey, t.thTier, t.thToday, t.thMinute, t.thLast, t.thExpires, t.thStatus]

function used(count: number | null, limit: number, isUnlimited: boolean): Child {
  if (isUnlimited) return h('span', { class: 'hint' }, t.notCounted)
  if (count === null) return h('span', { class: 'hint' }, t.notKnown)
  const isFull = count >= limit && limit > 0
  return [
    ltr(figure(count)),
    h('meter', { 'aria-hidden': 'true', min: 0, max: Math.max(1, limit), value: count, class: isFull ? 'full' : null }),
  ]
}

class Row {
  readonly element = h('tr', {})
  readonly #cells: HTMLElement[]
  readonly #actions = h('div', { class: 'row-actions' })
  #shown = ''
  #actionsShown = ''

  constructor(private readonly changed: () => void) {
    this.#cells = HEADS.map(label => h('td', { 'data-label': label }))
    this.element.append(...this.#cells, h('td', { class: 'actions' }, this.#actions))
  }

  show(key: ListedKey): void {
    const text = JSON.stringify(key)
    if (text === this.#shown) return
    this.#shown = text
    this.element.dataset.id = key.id
    this.element.dataset.status = key.status
    const contents = this.#contents(key)
    this.#cells.forEach((cell, i) => {
      replace(cell, contents[i])
    })
    this.#showActions(key)
  }

  #contents(key: ListedKey): Child[] {
    const { id, name, tier, status, unlimited, per_minute, per_day } = key
    const limits: Child = unlimited
      ? t.unlimited
      : [
          h('span', {}, fill(t.perMinute, { n: ltr(figure(per_minute)) })),
          h('span', {}, fill(t.perDay, { n: ltr(figure(per_day)) })),
        ]
    return [
      h(
        'div',
        { class: 'stack' },
        h('strong', {}, name === '' ? h('span', { class: 'hint' }, t.unnamed) : h('bdi', {}, name)),
        ltr(h('code', {}, id)),
      ),
      h('div', { class: 'stack' }, h('span', { class: 'badge badge-plain' }, tier), h('span', { class: 'hint stack' }, limits)),
      used(key.used_today, per_day, unlimited),
      used(key.used_this_minute, per_minute, unlimited),
      key.last_used_on === null ? h('span', { class: 'hint' }, unlimited ? t.notCounted : t.noneKnown) : ltr(key.last_used_on),
      key.expires_at === null ? h('span', { class: 'hint' }, t.never) : ltr(key.expires_at),
      h(
        'div',
        { class: 'stack' },
        h('span', { class: `status key-${status}` }, t.statuses[status]),
        key.old_key_until && h('span', { class: 'hint' }, fill(t.oldKeyUntil, { time: ltr(moment(key.old_key_until)) })),
      ),
    ]
  }

  /** Buttons stay in place while only figures change. */
  #showActions(key: ListedKey): void {
    const { used_today: _day, used_this_minute: _minute, last_used_on: _last, ...rest } = key
    const text = JSON.stringify(rest)
    if (text === this.#actionsShown) return
    this.#actionsShown = text
    const name = titleText(key)
    const action = (label: string, full: string, open: () => void) =>
      h('button', { type: 'button', class: 'button', 'aria-label': fillText(full, { name }), onclick: open }, label)
    replace(
      this.#actions,
      key.status !== 'revoked' && [
        action(t.rotate, t.rotateThis, () => openRotate(key, this.changed)),
        action(t.revoke, t.revokeThis, () => openRevoke(key, this.changed)),
      ],
    )
  }
}

export class KeysTable {
  readonly #body = h('tbody')
  readonly element = h(
    'table',
    { class: 'keys-table', 'aria-label': t.keys },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        [...HEADS, t.thActions].map(text => h('th', { scope: 'col' }, text)),
      ),
    ),
    this.#body,
  )
  #rows = new Map<string, Row>()

  constructor(private readonly changed: () => void) {}

  show(keys: readonly ListedKey[]): void {
    const before = this.#rows
    this.#rows = new Map()
    for (const key of keys) {
      const row = before.get(key.id) ?? new Row(this.changed)
      row.show(key)
      this.#rows.set(key.id, row)
    }
    const wanted = [...this.#rows.values()].map(({ element }) => element)
    const isSame = wanted.length === this.#body.childElementCount && wanted.every((row, i) => this.#body.children[i] === row)
    if (!isSame) this.#body.replaceChildren(...wanted)
    this.element.hidden = keys.length === 0
  }
}
