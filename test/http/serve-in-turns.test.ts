/** A new dataset is loaded while requests are answered. Tests count turns of the event loop, never time. */
import { Catalog } from '../../src/catalog/catalog.js'
import type { Route } from '../../src/http/routes.js'
import { fixtureCatalog, fixtureSnapshot, makeKey, startService, testOnEngines } from '../support/service.js'

const PATHS = ['/first', '/second', '/third']

testOnEngines('handlers for a new dataset are created one per turn, and put into use together', async t => {
  const key = makeKey('pro')
  let turn = 0
  const made: number[] = []
  const routes = PATHS.map(
    (path): Route => ({
      kind: 'keyed',
      path,
      prepare: catalog => {
        made.push(turn)
        return { handle: (_req, out) => out.openData().text(`"${catalog.meta.edition}"`).endRecord() }
      },
    }),
  )
  const { url, server } = await startService(t, [key], await fixtureCatalog(), routes)
  const editions = () =>
    Promise.all(
      PATHS.map(async path => {
        const response = await fetch(url + path, { headers: { 'x-api-key': key.key, connection: 'close' } })
        return ((await response.json()) as { data: string }).data
      }),
    )
  const [before] = await editions()
  made.length = 0
  const { meta, ...rest } = await fixtureSnapshot()
  let isServed = false
  const count = () => {
    turn++
    if (!isServed) setImmediate(count)
  }
  setImmediate(count)
  const served = server.serveInTurns(new Catalog({ ...rest, meta: { ...meta, edition: 'next' } })).then(() => {
    isServed = true
  })
  t.equal(made.length, 1)
  t.notOk(isServed)
  const seen = editions()
  await served
  t.equal(new Set(made).size, PATHS.length, 'each handler is created in a separate turn')
  const during = await seen
  t.ok(during.every(edition => edition === before || edition === 'next'))
  t.strictSame(await editions(), ['next', 'next', 'next'])
})
