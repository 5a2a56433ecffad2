/** The list of keys: search, filter, table, pages. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { announce } from '../app/shared/announce.js'
import { fillText } from '../app/text/written.js'
import { fill, leftToRight } from '../app/ui/parts.js'
import type { ListedKey } from './api.js'
import { type Open, titleText } from './dialogs.js'
import { figure, moment, useStrings } from './language.js'
import type { Listed, Panel, State } from './panel.js'
import { button, field, options, table } from './parts.js'
import { PAGE, type Place } from './place.js'
import type { AdminStrings } from './strings.js'

export function Keys({ state: { listed, complaint, place, typed }, panel, open }: { state: State; panel: Panel; open: Open }) {
  const t = useStrings()
  const section = useRef<HTMLElement>(null)
  const step = (label: string, offset: number, disabled: boolean) => {
    const go = () => {
      panel.go({ offset }, true)
      section.current?.scrollIntoView({ block: 'start' })
      announce(label)
    }
    return button(label, go, { disabled })
  }
  const type = (event: { currentTarget: HTMLInputElement }) => panel.type(event.currentTarget.value)
  const filter = (event: { currentTarget: HTMLSelectElement }) =>
    panel.go({ status: event.currentTarget.value as Place['status'], offset: 0 }, true)
  const search = <input id="search" type="search" dir="auto" maxlength={200} autocomplete="off" value={typed} onInput={type} />
  const status = (
    <select id="status" value={place.status} onChange={filter}>
      {options(t.statuses)}
    </select>
  )
  const from = listed?.place.offset ?? 0
  const total = listed?.total ?? 0
  return (
    <section ref={section} class="keys">
      <div class="keys-head">
        <h2>{t.keys}</h2>
        <p class="hint" role="status">
          {listed !== null && countText(t, listed)}
        </p>
        {button(t.create, () => open({ kind: 'create' }), { id: 'create', class: 'button button-strong' })}
      </div>
      <div class="row">
        {field('search', t.search, search, ' grow')}
        {field('status', t.status, status)}
      </div>
      <p class="complaint" role="alert">
        {complaint !== '' && <bdi lang="en">{complaint}</bdi>}
      </p>
      {complaint === '' && listed !== null && total > 0 && keysTable(t, listed.keys, open)}
      <nav class="row" aria-label={t.pages} hidden={total <= PAGE}>
        {step(t.newer, Math.max(0, from - PAGE), from === 0)}
        {step(t.older, from + PAGE, from + PAGE >= total)}
      </nav>
    </section>
  )
}

function countText(t: AdminStrings, { keys, total, place: { search, status, offset } }: Listed): string {
  if (total === 0) return search === '' && status === 'all' ? t.keysEmpty : t.keysNone
  if (total <= PAGE) return t.keysTotal(total)
  return fillText(t.keysShown, { from: figure(offset + 1), to: figure(offset + keys.length), total: figure(total) })
}

function keysTable(t: AdminStrings, keys: readonly ListedKey[], open: Open) {
  const heads = [t.thKey, t.thTier, t.thToday, t.thMinute, t.thLast, t.thExpires, t.thStatus]
  const rows = keys.map(key => {
    const name = titleText(key)
    const rotate = { 'aria-label': fillText(t.rotateThis, { name }) }
    const revoke = { 'aria-label': fillText(t.revokeThis, { name }) }
    return (
      <tr key={key.id} data-id={key.id} data-status={key.status}>
        {cellsOf(t, key).map((cell, i) => (
          <td key={heads[i]} data-label={heads[i]}>
            {cell}
          </td>
        ))}
        <td class="actions">
          <div class="row-actions">
            {key.status !== 'revoked' && button(t.rotate, () => open({ kind: 'rotate', key }), rotate)}
            {key.status !== 'revoked' && button(t.revoke, () => open({ kind: 'revoke', key }), revoke)}
          </div>
        </td>
      </tr>
    )
  })
  return table('keys-table', t.keys, [...heads, t.thActions], rows)
}

const hint = (text: ComponentChildren) => <span class="hint">{text}</span>
const stack = (...lines: ComponentChildren[]) => <div class="stack">{lines}</div>

/** The cells of a row, in the order of the table's columns. */
function cellsOf(t: AdminStrings, key: ListedKey): ComponentChildren[] {
  const { id, name, tier, status, unlimited, per_minute, per_day, last_used_on, expires_at, old_key_until } = key
  const used = (count: number | null, limit: number) => {
    if (unlimited || count === null) return hint(unlimited ? t.notCounted : t.notKnown)
    const kind = count >= limit && limit > 0 ? 'full' : undefined
    const meter = <meter aria-hidden="true" min={0} max={Math.max(1, limit)} value={count} class={kind} />
    return [leftToRight(figure(count)), meter]
  }
  const limit = (text: string, n: number) => <span>{fill(text, { n: leftToRight(figure(n)) })}</span>
  const limits = unlimited ? t.unlimited : [limit(t.perMinute, per_minute), limit(t.perDay, per_day)]
  return [
    stack(<strong>{name === '' ? hint(t.unnamed) : <bdi>{name}</bdi>}</strong>, leftToRight(<code>{id}</code>)),
    stack(<span class="badge badge-plain">{tier}</span>, <span class="hint stack">{limits}</span>),
    used(key.used_today, per_day),
    used(key.used_this_minute, per_minute),
    last_used_on === null ? hint(unlimited ? t.notCounted : t.noneKnown) : leftToRight(last_used_on),
    expires_at === null ? hint(t.never) : leftToRight(expires_at),
    stack(
      <span class={`status key-${status}`}>{t.statuses[status]}</span>,
      old_key_until && hint(fill(t.oldKeyUntil, { time: leftToRight(moment(old_key_until)) })),
    ),
  ]
}
