import t from 'tap'
import { NodeEngine } from '../../src/http/engine-node.js'
import { decideEngine, openEngine } from '../../src/http/engines.js'
import { packageName } from '../../src/http/uws.js'
import { UNREAD_BYTES_MAX } from '../support/service.js'

const missing = () => {
  throw new Error('Cannot find module\nRequire stack: …')
}

t.test('the faster engine where it loads, the other where not, and why', async t => {
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
  const fallen = decideEngine('auto', missing)
  t.equal(fallen.name, 'node')
  t.match(fallen.reason, /the npm package @uwsjs\/\S+ cannot be loaded \(Cannot find module\)/)
  t.throws(() => decideEngine('uws', missing), {
    message: /^HSAPI_ENGINE is uws, but .*; auto or node would serve$/,
  })
})

t.test('a package for each platform and Node', async t => {
  t.equal(packageName('linux', 'x64', '22.1.0'), '@uwsjs/linux-x64-22')
})

t.test('node:http says that it cannot share a port', async t => {
  t.ok(openEngine('node', UNREAD_BYTES_MAX) instanceof NodeEngine)
  await t.rejects(new NodeEngine().listen('127.0.0.1', 0, true), /cannot share a port/)
})

t.test('a port that is taken is refused', async t => {
  for (const name of ['node', decideEngine('auto').name] as const) {
    const [first, second] = [openEngine(name, UNREAD_BYTES_MAX), openEngine(name, UNREAD_BYTES_MAX)]
    const port = await first.listen('127.0.0.1', 0, false)
    await t.rejects(second.listen('127.0.0.1', port, false))
    for (const engine of [first, second]) {
      engine.stopListening()
      engine.close()
    }
  }
})
