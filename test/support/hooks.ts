/** Runs a hook of the pages in a component that renders no elements, so that tests need no browser. */
import { h, options, render } from 'preact'
import type { Test } from 'tap'

/** An element with the properties that Preact requires of the parent of a component. */
const fakeParent = () =>
  ({ nodeType: 1, childNodes: [], firstChild: null, namespaceURI: 'http://www.w3.org/1999/xhtml' }) as never

export interface RunningHook<Value> {
  value: () => Value
  /** Renders the component again, as after a change of its properties. */
  draw: () => void
  end: () => void
}

/** Renders the hook. Its effects run in the next turn of the event loop. */
export function runHook<Value>(t: Test, hook: () => Value): RunningHook<Value> {
  const { requestAnimationFrame } = options
  options.requestAnimationFrame = run => void setImmediate(run)
  const parent = fakeParent()
  let latest: Value
  let drawn = 0
  // Preact's signals do not render a component again if its properties are the same, so this one has a changing property
  const Component = (_: { drawn: number }) => {
    latest = hook()
    return null
  }
  const draw = () => render(h(Component, { drawn: drawn++ }), parent)
  const end = () => render(null, parent)
  draw()
  t.teardown(() => {
    end()
    if (requestAnimationFrame === undefined) Reflect.deleteProperty(options, 'requestAnimationFrame')
    else options.requestAnimationFrame = requestAnimationFrame
  })
  return { value: () => latest, draw, end }
}
