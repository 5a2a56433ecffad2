/** Writes the results as one self-contained HTML file. */
import { POINTS } from '../../dist/src/load-kit/load/latencies.js'
import { summary } from './markdown.mjs'
import { dotPlot, escapeHtml, linear, linePlot, logarithmic, nines, steps } from './plot.mjs'
import { sections } from './tables.mjs'

const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --muted: #5b6068; --line: #dcdfe3;
  --c0: #6b7280; --c1: #0b62c4; --c2: #b3541e; --c3: #1a7f4b; --good: #1a7f4b; --bad: #b42318 }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #e6e8eb; --muted: #9aa1ab; --line: #343940;
  --c0: #9aa1ab; --c1: #6aaefc; --c2: #f0a06a; --c3: #5cc98f; --good: #5cc98f; --bad: #ff8a80 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1200px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif }
h1 { font-size: 24px; margin: 0 0 4px } h2 { font-size: 18px; margin: 36px 0 6px }
p { color: var(--muted); margin: 0 0 10px; max-width: 85ch }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 8px 0 }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th { color: var(--muted); font-weight: 500 } th:first-child, td:first-child { text-align: left }
td:first-child { white-space: normal; min-width: 12em }
.met { color: var(--good); font-weight: 600 } .missed { color: var(--bad); font-weight: 600 }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 20px 28px }
figure { margin: 12px 0 0; max-width: 580px } figure.wide { max-width: 900px; grid-column: 1 / -1 }
figcaption { font-weight: 600 } svg { width: 100%; height: auto; display: block }
svg text { fill: var(--muted); font: 12px system-ui, sans-serif } svg .label { fill: var(--ink) } svg .value { fill: var(--ink) }
.grid { stroke: var(--line) } .stem { stroke: var(--line); stroke-width: 2 }
polyline { fill: none; stroke-width: 2 }
polyline.c0 { stroke: var(--c0) } polyline.c1 { stroke: var(--c1) } polyline.c2 { stroke: var(--c2) } polyline.c3 { stroke: var(--c3) }
circle.c0 { fill: var(--c0) } circle.c1 { fill: var(--c1) } circle.c2 { fill: var(--c2) } circle.c3 { fill: var(--c3) }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--muted); font-size: 13px }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 50%; margin-right: 6px }
.key.c0 { background: var(--c0) } .key.c1 { background: var(--c1) } .key.c2 { background: var(--c2) } .key.c3 { background: var(--c3) }
`

/** A server or kind of request has the same colour in every plot. */
const COLOUR = { bare: 0, lookup: 1, search: 2, first: 0, second: 1 }
const COLOUR_OF_GROUP = { bare: 0, nginx: 2, hsapi: 1, node: 1, map: 3, sqlite: 3 }
const BARE = 'bare uWebSockets.js'

const micro = value => `${value.toFixed(value < 100 ? 1 : 0)}`
const values = series => series.flatMap(({ points }) => points.map(([, y]) => y))
const count = value => value.toLocaleString('en')

function costPlots(cases) {
  const rows = cases.map(({ name, group, microseconds }) => ({
    name,
    value: microseconds,
    colour: COLOUR_OF_GROUP[group],
  }))
  return [dotPlot({ title: 'Server CPU per request', label: 'microseconds, logarithmic', rows, text: micro })]
}

function latencyPlots({ servers }) {
  const series = servers.map(({ id, name, best }) => ({
    name,
    colour: COLOUR[id],
    points: POINTS.map(percent => [percent, best.latency[`p${percent}`]]),
  }))
  const shown = [50, 90, 99, 99.9, 99.99]
  return [
    linePlot({
      title: 'Latency percentiles',
      x: { ...nines(POINTS), ticks: shown },
      y: logarithmic(values(series)),
      xLabel: 'percentile',
      yLabel: 'milliseconds, logarithmic',
      xText: percent => `p${percent}`,
      series,
    }),
  ]
}

function connectionPlots(counts) {
  const sizes = counts.map(({ connections }) => connections)
  const pair = field => [
    { name: BARE, colour: COLOUR.bare, points: counts.map(one => [one.connections, one.bare[field]]) },
    {
      name: 'lookup',
      colour: COLOUR.lookup,
      points: counts.map(one => [one.connections, one.lookup[field]]),
    },
  ]
  const plot = (title, yLabel, series) =>
    linePlot({
      title,
      x: steps(sizes),
      y: linear(values(series)),
      xLabel: 'connections',
      yLabel,
      xText: count,
      series,
    })
  return [
    plot('Throughput against connections', 'requests a second', pair('perSecond')),
    plot('Cost against connections', 'CPU per request, µs', pair('microseconds')),
  ]
}

function datasetPlots(scales) {
  const x = steps(scales.map(({ scale }) => scale))
  const base = { x, xLabel: 'times the dataset', xText: scale => `× ${scale}` }
  const line = (name, colour, pick) => ({ name, colour, points: scales.map(one => [one.scale, pick(one)]) })
  const plot = (title, yLabel, series) => linePlot({ ...base, title, yLabel, y: linear(values(series)), series })
  return [
    plot('Cost against size of the dataset', 'CPU per request, µs', [
      line('lookup', COLOUR.lookup, one => one.lookup),
      line('search of 20, never asked before', COLOUR.search, one => one.search),
    ]),
    plot('Boot against size of the dataset', 'milliseconds', [line('boot to first answer', COLOUR.lookup, one => one.bootMs)]),
    plot('Memory against size of the dataset', 'MB', [
      line('after boot', COLOUR.first, one => one.resident[0].mb),
      line('after mixed requests', COLOUR.second, one => one.resident.at(-1).mb),
    ]),
  ]
}

function keyPlots(counts) {
  const series = [{ name: 'lookup', colour: COLOUR.lookup, points: counts.map(one => [one.keys, one.microseconds]) }]
  return [
    linePlot({
      title: 'Cost against number of keys',
      x: steps(counts.map(one => one.keys)),
      y: linear(values(series)),
      xLabel: 'keys',
      yLabel: 'CPU per request, µs',
      xText: count,
      series,
    }),
  ]
}

function limitPlots(deployments) {
  const rates = [...new Set(deployments.flatMap(({ steps }) => steps.map(({ rate }) => rate)))].sort((a, b) => a - b)
  const colours = [COLOUR.first, COLOUR.second]
  const lines = pick =>
    deployments.map(({ name, steps }, i) => ({
      name,
      colour: colours[i],
      points: [...steps].sort((a, b) => a.rate - b.rate).map(step => [step.rate, pick(step)]),
    }))
  const plot = (title, yLabel, scale, series) =>
    linePlot({
      title,
      x: logarithmic(rates),
      y: scale(values(series)),
      xLabel: 'requests a second to send, logarithmic',
      yLabel,
      xText: count,
      series,
    })
  return [
    plot(
      'p99 against rate',
      'milliseconds, logarithmic',
      logarithmic,
      lines(step => step.latency.p99),
    ),
    plot(
      'Answers against rate',
      'answered a second',
      linear,
      lines(step => step.perSecond),
    ),
  ]
}

const PLOTS = {
  load: latencyPlots,
  limit: limitPlots,
  cost: costPlots,
  latency: latencyPlots,
  connections: connectionPlots,
  dataset: datasetPlots,
  keys: keyPlots,
}

function table({ head, rows }) {
  const row = (cells, tag) => `<tr>${cells.map(cell => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  const verdict = cell => (cell === 'met' || cell === 'missed' ? `<span class="${cell}">${cell}</span>` : escapeHtml(cell))
  const body = rows.map(cells => row(cells.map(verdict), 'td')).join('')
  return `<div class="scroll"><table><thead>${row(head.map(escapeHtml), 'th')}</thead><tbody>${body}</tbody></table></div>`
}

function section(part, results) {
  const plots = PLOTS[part.id]?.(results[part.id]) ?? []
  const text = part.text === '' ? '' : `<p>${escapeHtml(part.text)}</p>`
  const drawn = plots.length > 0 ? `<div class="plots">${plots.join('')}</div>` : ''
  return `<section><h2>${escapeHtml(part.title)}</h2>${text}${drawn}${table(part)}</section>`
}

export function htmlReport(results) {
  const parts = sections(results).map(part => section(part, results))
  const notes = results.notes.map(note => `<li>${escapeHtml(note)}</li>`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hsapi benchmark, ${results.date.slice(0, 10)}</title>
<style>${STYLE}</style>
<h1>hsapi benchmark</h1>
<p>${escapeHtml(summary(results))}</p>
${parts.join('\n')}
${notes === '' ? '' : `<section><h2>Notes</h2><ul>${notes}</ul></section>`}
</html>
`
}
