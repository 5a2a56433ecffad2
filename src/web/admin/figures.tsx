/** Figures of the server: load, latency, refusals, dataset, replicas. */
import type { ComponentChildren } from 'preact'
import { fillText } from '../app/text/written.js'
import { fill, leftToRight } from '../app/ui/parts.js'
import type { Usage } from './api.js'
import { duration, figure, moment, useStrings } from './language.js'
import type { State } from './panel.js'
import { table } from './parts.js'
import type { AdminStrings } from './strings.js'

const MEGABYTE = 1024 * 1024
const ENGINES: Readonly<Record<string, string>> = { uws: 'uWebSockets.js', node: 'node:http' }

export function Figures({ usage, isOffline }: Pick<State, 'usage' | 'isOffline'>) {
  const t = useStrings()
  const problem = usage?.server.problem ?? null
  return (
    <>
      {usage !== null && serverLine(t, usage)}
      <p class="warning" role="status" hidden={!isOffline}>
        {t.offline}
      </p>
      <p class="warning" role="status" hidden={problem === null}>
        {fill(t.problem, { problem: <bdi lang="en">{problem}</bdi> })}
      </p>
      {usage !== null && <div class="figures">{[requests, latency, server, refusals, replicas].map(card => card(t, usage))}</div>}
    </>
  )
}

function serverLine(t: AdminStrings, { server: { version, engine, threads, started_at } }: Usage) {
  const shown = {
    version: leftToRight(version),
    engine: leftToRight(ENGINES[engine] ?? engine),
    threads: t.threads(threads),
    since: leftToRight(`${moment(started_at)} UTC`),
  }
  return <p class="hint server-line">{fill(t.serverLine, shown)}</p>
}

const card = (title: string, ...children: ComponentChildren[]) => (
  <section class="figure-card">
    <h2>{title}</h2>
    {children}
  </section>
)
const big = (text: string) => <p class="big">{leftToRight(text)}</p>
const small = (text: string) => <p class="hint">{text}</p>
const folded = (label: string, heads: readonly string[], rows: ComponentChildren) => (
  <details>
    <summary>{label}</summary>
    <div class="wide">{table('small-table', label, heads, rows)}</div>
  </details>
)

function requests(t: AdminStrings, { requests: { per_second, series, total } }: Usage) {
  const highest = figure(Math.max(0, ...series))
  const label = fillText(t.requestsChart, { highest })
  return card(t.requests, big(figure(per_second)), chart(series, label), small(t.requestsTotal(total)))
}

const WIDTH = 240
const HEIGHT = 48
/** Number of samples in the chart. The server sends at most this many, for the last five minutes. */
const POINTS = 60

function chart(values: readonly number[], label: string) {
  const highest = Math.max(1, ...values)
  const step = WIDTH / (POINTS - 1)
  // the newest figure is at the right, in both languages
  const from = WIDTH - (values.length - 1) * step
  const points = values
    .map((value, i) => `${(from + i * step).toFixed(1)},${(HEIGHT - 2 - (value / highest) * (HEIGHT - 6)).toFixed(1)}`)
    .join(' ')
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {values.length > 1 && <polygon points={`${from.toFixed(1)},${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />}
      {values.length > 1 && <polyline points={points} />}
    </svg>
  )
}

function latency(t: AdminStrings, { latency: { p50_us, p99_us, mean_us } }: Usage) {
  if (mean_us === null) return card(t.latency, small(t.latencyNone))
  const pair = (label: string, us: number | null) => (
    <div>
      <dt>{label}</dt>
      <dd>{leftToRight(duration(us))}</dd>
    </div>
  )
  const pairs = [pair(t.latencyHalf, p50_us), pair(t.latencyMost, p99_us)]
  return card(t.latency, <dl class="pairs">{pairs}</dl>, small(t.latencyText))
}

function server(t: AdminStrings, { dataset, server, keys }: Usage) {
  const version = fill(t.datasetVersion, { version: leftToRight(dataset?.version) })
  const lines = [
    dataset ? [leftToRight(dataset.edition), ' · ', version, ' · ', t.records(dataset.records)] : t.datasetNone,
    `${t.keysInForce(keys.active)} · ${keys.store === 'redis' ? t.inRedis : t.inFile}`,
    t.connections(server.connections),
    fill(t.memory, { size: leftToRight(figure(Math.round(server.memory_bytes / MEGABYTE))) }),
  ]
  return card(
    t.server,
    <ul class="facts">
      {lines.map((line, i) => (
        <li key={i}>{line}</li>
      ))}
    </ul>,
  )
}

function refusals(t: AdminStrings, { refusals, requests }: Usage) {
  if (refusals.length === 0) return card(t.refusals, small(t.refusalsNone))
  const recent = refusals.reduce((total, one) => total + one.recent, 0)
  const all = requests.per_second * requests.recent_seconds
  const share = all === 0 ? 0 : Math.min(100, (100 * recent) / all)
  const rows = [...refusals]
    .sort((a, b) => b.recent - a.recent || b.total - a.total)
    .map(({ code, recent, total }) => (
      <tr key={code}>
        <td>{leftToRight(<code>{code}</code>)}</td>
        <td>{leftToRight(figure(recent))}</td>
        <td>{leftToRight(figure(total))}</td>
      </tr>
    ))
  const list = folded(t.refusalsTable, [t.reason, t.lastMinute, t.sinceStart], rows)
  return card(t.refusals, big(`${figure(share)} %`), small(t.refusalsText), list)
}

function replicas(t: AdminStrings, { redis }: Usage) {
  if (redis === null) return null
  if (redis.replicas === null || !redis.is_up) return card(t.replicas, <p class="warning">{t.redisDown}</p>)
  const rows = redis.replicas.map(({ id, seen_seconds_ago, is_this }) => (
    <tr key={id}>
      <td>
        {leftToRight(<code>{id}</code>)}
        {is_this && ` (${t.thisServer})`}
      </td>
      <td>{t.secondsAgo(seen_seconds_ago)}</td>
    </tr>
  ))
  const list = folded(t.replicasTable, [t.replica, t.seen], rows)
  return card(t.replicas, big(figure(redis.replicas.length)), small(t.replicasText), list)
}
