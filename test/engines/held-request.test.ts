/** A copy of a request, for requests that are answered after their handler has returned. */
import t from 'tap'
import type { HttpRequest } from '../../src/engines/engine.js'
import { holdRequest } from '../../src/engines/held-request.js'

t.test('a held request keeps everything of the request, which the engine uses again', async t => {
  let isValid = true
  const read = <Value>(value: Value): Value => {
    if (!isValid) throw new Error('the engine uses the request for another one')
    return value
  }
  const lines = [
    ['x-api-key', 'first'],
    ['accept', '*/*'],
    ['x-api-key', 'second'],
  ] as const
  const name = (text: string) => new TextEncoder().encode(text).buffer
  const request: HttpRequest = {
    getMethod: () => read('get'),
    getUrl: () => read('/api/v1/editions/2017/8523'),
    getQuery: () => read('lang=ar'),
    getParameter: index => read(['2017', '8523'][index] ?? ''),
    getHeader: wanted => read(lines.find(([one]) => one === Buffer.from(wanted).toString())?.[1] ?? ''),
    forEach: take => {
      for (const [one, value] of read(lines)) take(one, value)
    },
  }
  const held = holdRequest(request)
  isValid = false
  t.strictSame([held.getMethod(), held.getUrl(), held.getQuery()], ['get', '/api/v1/editions/2017/8523', 'lang=ar'])
  t.strictSame([held.getParameter(0), held.getParameter(1), held.getParameter(2)], ['2017', '8523', ''])
  t.strictSame(
    [held.getHeader(name('x-api-key')), held.getHeader(name('origin'))],
    ['first', ''],
    'the first of several lines counts',
  )
  const all: (readonly [string, string])[] = []
  held.forEach((one, value) => {
    all.push([one, value])
  })
  t.strictSame(all, lines)
})
