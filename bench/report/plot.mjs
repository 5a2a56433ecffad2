/** Line and dot plots as inline SVG. Colours come from the page's style sheet, so that they follow light and dark. */
const WIDTH = 560
const HEIGHT = 300
const LEFT = 64
const RIGHT = 18
const TOP = 14
const BOTTOM = 46
const TICKS = 5
const ROW = 24

export const escapeHtml = text =>
  String(text).replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])

const round = value => Math.round(value * 10) / 10

/** 1, 2 or 5 times a power of ten. */
function niceStep(span) {
  const power = 10 ** Math.floor(Math.log10(span / TICKS))
  return [1, 2, 5, 10].map(factor => factor * power).find(step => span / step <= TICKS)
}

/** @typedef {{at(value: number): number, ticks: number[]}} Scale positions are shares of the axis */

/** Starts at zero, so that a difference does not look larger than it is. */
export function linear(values) {
  const max = Math.max(...values) || 1
  const step = niceStep(max)
  const top = Math.ceil(max / step) * step
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => Number((i * step).toPrecision(12)))
  return { at: value => value / top, ticks }
}

export function logarithmic(values) {
  const low = Math.floor(Math.log10(Math.min(...values)))
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i))
  return { at: value => (Math.log10(value) - low) / (high - low), ticks }
}

/** Shows values at equal distances, such as 1, 4 and 16 times. */
export function steps(values) {
  const last = Math.max(1, values.length - 1)
  return { at: value => values.indexOf(value) / last, ticks: values }
}

/** Each further nine of a percentile (99, 99.9, …) takes the same width. */
export function nines(percents) {
  const place = percent => -Math.log10(1 - percent / 100)
  const [low, high] = [place(percents[0]), place(percents.at(-1))]
  return { at: percent => (place(percent) - low) / (high - low), ticks: percents }
}

const number = value => (value >= 1000 ? value.toLocaleString('en') : String(Number(value.toPrecision(3))))

function legend(series) {
  const entries = series.map(({ name, colour }) => `<span><i class="key c${colour}"></i>${escapeHtml(name)}</span>`)
  return `<div class="legend">${entries.join('')}</div>`
}

/**
 * @param {{title: string, x: Scale, y: Scale, xLabel: string, yLabel: string, xText?: (value: number) => string,
 *   series: {name: string, colour: number, points: [number, number][]}[]}} plot
 */
export function linePlot({ title, x, y, xLabel, yLabel, xText = number, series }) {
  const px = value => round(LEFT + x.at(value) * (WIDTH - LEFT - RIGHT))
  const py = value => round(HEIGHT - BOTTOM - y.at(value) * (HEIGHT - TOP - BOTTOM))
  const grid = y.ticks.map(
    tick =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(tick)}" y2="${py(tick)}"/>` +
      `<text x="${LEFT - 8}" y="${py(tick) + 4}" text-anchor="end">${number(tick)}</text>`,
  )
  const below = x.ticks.map(
    tick => `<text x="${px(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${escapeHtml(xText(tick))}</text>`,
  )
  const lines = series.map(({ name, points, colour }) => {
    const path = points.map(([vx, vy]) => `${px(vx)},${py(vy)}`).join(' ')
    const dots = points.map(
      ([vx, vy]) =>
        `<circle class="c${colour}" cx="${px(vx)}" cy="${py(vy)}" r="4"><title>${escapeHtml(`${name}, ${xText(vx)}: ${number(vy)}`)}</title></circle>`,
    )
    return `<polyline class="c${colour}" points="${path}"/>${dots.join('')}`
  })
  return (
    `<figure><figcaption>${escapeHtml(title)}</figcaption>${legend(series)}` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${below.join('')}` +
    `<text class="label" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>` +
    `<text class="label" transform="rotate(-90)" x="${-(TOP + HEIGHT - BOTTOM) / 2}" y="13" text-anchor="middle">${escapeHtml(yLabel)}</text>` +
    `${lines.join('')}</svg></figure>`
  )
}

/**
 * One dot per row on a logarithmic axis, which has no zero from which bars could start.
 * @param {{title: string, label: string, rows: {name: string, value: number, colour: number}[]}} plot
 */
export function dotPlot({ title, label, rows, text }) {
  const left = 250
  const right = 60
  const scale = logarithmic(rows.map(({ value }) => value))
  const width = 820
  const height = TOP + rows.length * ROW + BOTTOM
  const px = value => round(left + scale.at(value) * (width - left - right))
  const grid = scale.ticks.map(
    tick =>
      `<line class="grid" x1="${px(tick)}" x2="${px(tick)}" y1="${TOP}" y2="${height - BOTTOM}"/>` +
      `<text x="${px(tick)}" y="${height - BOTTOM + 18}" text-anchor="middle">${number(tick)}</text>`,
  )
  const dots = rows.map(({ name, value, colour }, i) => {
    const y = TOP + i * ROW + ROW / 2
    return (
      `<line class="stem" x1="${left}" x2="${px(value)}" y1="${y}" y2="${y}"/>` +
      `<circle class="c${colour}" cx="${px(value)}" cy="${y}" r="5"/>` +
      `<text x="${left - 10}" y="${y + 4}" text-anchor="end">${escapeHtml(name)}</text>` +
      `<text class="value" x="${px(value) + 10}" y="${y + 4}">${escapeHtml(text(value))}</text>`
    )
  })
  return (
    `<figure class="wide"><figcaption>${escapeHtml(title)}</figcaption>` +
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${dots.join('')}` +
    `<text class="label" x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">${escapeHtml(label)}</text></svg></figure>`
  )
}
