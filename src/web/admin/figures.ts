/** Figures of the server: load, latency, refusals, dataset, replicas. */
import { type Child, fill, fillText, h, replace } from '../app/dom/dom.js'
import type { Usage } from './api.js'
import { chart } from './chart.js'
import { duration, figure, ltr, moment, t } from './language.js'

const MEGABYTE = 1024 * 1024
const ENGINES: Readonly<Record<string, string>> = { uws: 'uWebSockets.js', node: 'node:http' }

const card = (title: string, ...children: Child[]) => h('section', { class: 'figure-card' }, h('h2', {}, title), children)
const big = (...children: Child[]) => h('p', { class: 'big' }, ltr(children))
const small = (...children: Child[]) => h('p', { class: 'hint' }, children)

function table(label: string, heads: readonly string[], rows: readonly Child[][]): HTMLElement {
  return h(
    'table',
    { class: 'small-table', 'aria-label': label },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map(head => h('th', { scope: 'col' }, head)),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map(cells =>
        h(
          'tr',
          {},
          cells.map(cell => h('td', {}, cell)),
        ),
      ),
    ),
  )
}

function requestsCard({ requests }: Usage): HTMLElement {
  const highest = figure(Math.max(0, ...requests.series))
  return card(
    t.requests,
    big(figure(requests.per_second)),
    chart(requests.series, fillText(t.requestsChart, { highest })),
    small(t.requestsTotal(requests.total)),
  )
}

function latencyCard({ latency: { p50_us, p99_us, mean_us } }: Usage): HTMLElement {
  if (mean_us === null) return card(t.latency, small(t.latencyNone))
  const pair = (label: string, us: number | null) => h('div', {}, h('dt', {}, label), h('dd', {}, ltr(duration(us))))
  return card(
    t.latency,
    h('dl', { class: 'pairs' }, pair(t.latencyHalf, p50_us), pair(t.latencyMost, p99_us)),
    small(t.latencyText),
  )
}

/** A list that can be unfolded; it stays so while its rows change. */
class Unfolded {
  readonly #body = h('div', { class: 'wide' })
  readonly element: HTMLElement

  constructor(
    private readonly label: string,
    private readonly heads: readonly string[],
  ) {
    this.element = h('details', {}, h('summary', {}, label), this.#body)
  }

  show(rows: readonly Child[][]): HTMLElement {
    replace(this.#body, table(this.label, this.heads, rows))
    return this.element
  }
}

const refusalList = new Unfolded(t.refusalsTable, [t.reason, t.lastMinute, t.sinceStart])
const replicaList = new Unfolded(t.replicasTable, [t.replica, t.seen])

function refusalsCard({ refusals, requests }: Usage): HTMLElement {
  if (refusals.length === 0) return card(t.refusals, small(t.refusalsNone))
  const recent = refusals.reduce((total, one) => total + one.recent, 0)
  const all = requests.per_second * requests.recent_seconds
  const share = all === 0 ? 0 : Math.min(100, (100 * recent) / all)
  const rows = [...refusals]
    .sort((a, b) => b.recent - a.recent || b.total - a.total)
    .map(({ code, recent, total }) => [ltr(h('code', {}, code)), ltr(figure(recent)), ltr(figure(total))])
  return card(t.refusals, big(`${figure(share)} %`), small(t.refusalsText), refusalList.show(rows))
}

function serverCard({ dataset, server, keys }: Usage): HTMLElement {
  return card(
    t.server,
    h(
      'ul',
      { class: 'facts' },
      dataset
        ? h(
            'li',
            {},
            ltr(dataset.edition),
            ' · ',
            fill(t.datasetVersion, { version: ltr(dataset.version) }),
            ' · ',
            t.records(dataset.records),
          )
        : h('li', {}, t.datasetNone),
      h('li', {}, t.keysInForce(keys.active), ' · ', keys.store === 'redis' ? t.inRedis : t.inFile),
      h('li', {}, t.connections(server.connections)),
      h('li', {}, fill(t.memory, { size: ltr(figure(Math.round(server.memory_bytes / MEGABYTE))) })),
    ),
  )
}

function replicasCard({ redis }: Usage): HTMLElement | null {
  if (redis === null) return null
  const { replicas } = redis
  if (replicas === null || !redis.is_up) return card(t.replicas, h('p', { class: 'warning' }, t.redisDown))
  const rows = replicas.map(({ id, seen_seconds_ago, is_this }) => [
    h('span', {}, ltr(h('code', {}, id)), is_this && ` (${t.thisServer})`),
    t.secondsAgo(seen_seconds_ago),
  ])
  return card(t.replicas, big(figure(replicas.length)), small(t.replicasText), replicaList.show(rows))
}

export class Figures {
  readonly element = h('div', { class: 'figures' })
  readonly line = h('p', { class: 'hint server-line' })
  readonly #problem = h('p', { class: 'warning', role: 'status', hidden: true })

  get problem(): HTMLElement {
    return this.#problem
  }

  show(usage: Usage): void {
    const { version, engine, threads, started_at, problem } = usage.server
    replace(
      this.line,
      fill(t.serverLine, {
        version: ltr(version),
        engine: ltr(ENGINES[engine] ?? engine),
        threads: t.threads(threads),
        since: ltr(`${moment(started_at)} UTC`),
      }),
    )
    this.#problem.hidden = problem === null
    if (problem !== null) replace(this.#problem, fill(t.problem, { problem: h('bdi', { lang: 'en' }, problem) }))
    // moving an element takes the focus from it
    const focused = document.activeElement
    const cards = [requestsCard, latencyCard, serverCard, refusalsCard, replicasCard].map(make => make(usage))
    replace(this.element, cards)
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus({ preventScroll: true })
  }
}
