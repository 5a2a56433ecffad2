import t from 'tap'
import { OPENAPI } from '../../src/contract/openapi.js'
import { NodeEngine } from '../../src/engines/engine-node.js'
import { decideEngine, openEngine } from '../../src/engines/engines.js'
import { packageName } from '../../src/engines/uws.js'
import { raw } from '../support/raw.js'
import { openService, testOnEngines, UNREAD_BYTES_MAX } from '../support/service.js'

const missing = () => {
  throw new Error('Cannot find module\nRequire stack: …')
}

t.test('auto selects uWebSockets.js if it loads, otherwise node:http with the reason', async t => {
  t.match(
    decideEngine('auto', () => {}),
    { name: 'uws' },
  )
  t.match(
    decideEngine('uws', () => {}),
    { name: 'uws', reason: /HSAPI_ENGINE/ },
  )
  t.match(
    decideEngine('node', () => {}),
    { name: 'node', reason: /HSAPI_ENGINE/ },
  )
  const fallback = decideEngine('auto', missing)
  t.equal(fallback.name, 'node')
  t.match(fallback.reason, /the npm package @uwsjs\/\S+ cannot be loaded \(Cannot find module\)/)
  t.throws(() => decideEngine('uws', missing), {
    message: /^HSAPI_ENGINE is uws, but .*; use auto or node$/,
  })
})

t.test('each platform and Node version has its own package', async t => {
  t.equal(packageName('linux', 'x64', '22.1.0'), '@uwsjs/linux-x64-22')
})

t.test('node:http reports that it cannot share a port', async t => {
  t.ok(openEngine('node', UNREAD_BYTES_MAX) instanceof NodeEngine)
  await t.rejects(new NodeEngine(UNREAD_BYTES_MAX).listen('127.0.0.1', 0, true), /cannot share a port/)
})

testOnEngines('98 header lines are accepted; uWebSockets.js refuses one more with 431', async t => {
  const { port, engine } = await openService(t)
  const statusWith = async (lines: number) => {
    const more = 'A: 1\r\n'.repeat(lines - 2)
    const text = `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await raw(port, text))?.[1])
  }
  t.equal(await statusWith(98), 200)
  t.equal(await statusWith(99), engine === 'uws' ? 431 : 200)
  const { description } = OPENAPI.info as { description: string }
  t.match(description, 'On uWebSockets.js, so are heads with more than 98 header lines')
})

t.test('an engine cannot listen on a port that is in use', async t => {
  for (const name of ['node', decideEngine('auto').name] as const) {
    const [first, second] = [openEngine(name, UNREAD_BYTES_MAX), openEngine(name, UNREAD_BYTES_MAX)]
    const port = await first.listen('127.0.0.1', 0, false)
    await t.rejects(second.listen('127.0.0.1', port, false))
    for (const engine of [first, second]) {
      await engine.stopListening()
      engine.close()
    }
  }
})
