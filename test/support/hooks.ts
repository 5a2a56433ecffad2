/** Runs a hook of the pages in a component without elements, so that it needs no browser. */
import { h, options, render } from 'preact'
import type { Test } from 'tap'

/** A parent into which nothing is put. */
const parent = () => ({ nodeType: 1, childNodes: [], firstChild: null, namespaceURI: 'http://www.w3.org/1999/xhtml' }) as never

export interface RunningHook<Value> {
  value: () => Value
  /** Renders again, as with other properties. */
  draw: () => void
  end: () => void
}

/** Effects run in the next turn of the event loop. */
export function runHook<Value>(t: Test, hook: () => Value): RunningHook<Value> {
  const { requestAnimationFrame } = options
  options.requestAnimationFrame = run => void setImmediate(run)
  const place = parent()
  let latest: Value
  let drawn = 0
  // signals skip a component whose properties are the same
  const Component = (_: { drawn: number }) => {
    latest = hook()
    return null
  }
  const draw = () => render(h(Component, { drawn: drawn++ }), place)
  const end = () => render(null, place)
  draw()
  t.teardown(() => {
    end()
    if (requestAnimationFrame === undefined) Reflect.deleteProperty(options, 'requestAnimationFrame')
    else options.requestAnimationFrame = requestAnimationFrame
  })
  return { value: () => latest, draw, end }
}
