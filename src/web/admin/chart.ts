/** A line of figures, small. Its sentence is read aloud in its place. */

const SPACE = 'http://www.w3.org/2000/svg'
const WIDTH = 240
const HEIGHT = 48
/** As many as the server sends: five minutes. */
const POINTS = 60

export function chart(values: readonly number[], label: string): SVGElement {
  const svg = document.createElementNS(SPACE, 'svg')
  const set = (element: Element, attributes: Record<string, string | number>) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  }
  set(svg, { class: 'chart', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label })
  const highest = Math.max(1, ...values)
  const step = WIDTH / (POINTS - 1)
  // the newest figure is at the right, in both languages
  const from = WIDTH - (values.length - 1) * step
  const points = values.map(
    (value, i) => `${(from + i * step).toFixed(1)},${(HEIGHT - 2 - (value / highest) * (HEIGHT - 6)).toFixed(1)}`,
  )
  if (points.length > 1) {
    const area = document.createElementNS(SPACE, 'polygon')
    set(area, { points: [`${from.toFixed(1)},${HEIGHT}`, ...points, `${WIDTH},${HEIGHT}`].join(' ') })
    const line = document.createElementNS(SPACE, 'polyline')
    set(line, { points: points.join(' ') })
    svg.append(area, line)
  }
  return svg
}
