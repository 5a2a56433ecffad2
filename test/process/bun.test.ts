/** The same program on Bun, where there is one: its node:http is not Node's. */
import { spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import t from 'tap'
import { prepared, startServe } from '../support/cli.js'

const skip = spawnSync('bun', ['--version']).error === undefined ? false : 'bun is not installed'

t.test('on Bun the server answers, and SIGTERM ends it with 0 although a connection is open', { skip }, async t => {
  const env = { ...(await prepared(t)), HSAPI_DRAIN_SECONDS: '1' }
  const served = await startServe(t, env, undefined, undefined, 'bun')
  const [, key = ''] = /(hs_free_\w+)/.exec(served.output()) ?? []
  const answer = await fetch(`${served.url}/api/v1/hs-codes/852321`, { headers: { 'x-api-key': key } })
  t.equal(answer.status, 200)
  t.match(await answer.json(), { data: { hs_code: '852321' } })
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  await new Promise(done => socket.once('connect', done))
  t.equal(await served.end('SIGTERM'), 0, served.output())
})
