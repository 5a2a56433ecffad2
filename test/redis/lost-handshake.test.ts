import t from 'tap'
import { RedisConnection } from '../../src/redis/connection.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { startProxy } from '../support/tcp-proxy.js'
import { until } from '../support/until.js'

t.test('a connection whose first replies are lost is replaced once Redis is back', { skip: WITHOUT_REDIS }, async t => {
  const redis = await startRedis(t)
  const proxy = await startProxy(t, redis.port)
  proxy.isCut = true
  const connection = await RedisConnection.open({ url: `redis://127.0.0.1:${proxy.port}`, prefix: 'hsapi' }, () => {})
  t.teardown(() => connection.close())
  t.notOk(await connection.ready(1_000), 'the connection was opened but got no reply')
  proxy.isCut = false
  await until('the connection is ready', () => connection.isReady)
  t.equal(await connection.send('PING'), 'PONG')
})
