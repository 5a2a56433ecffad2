import t from 'tap'
import { OperatorError } from '../../src/errors.js'
import { readAddress } from '../../src/redis/address.js'

const read = (value: string) => readAddress(value, 'HSAPI_REDIS_URL')

t.test('the address of a single server is used unchanged, and shown without its password', async t => {
  t.strictSame(read('redis://:secret@127.0.0.1:6379/2'), {
    kind: 'single',
    url: 'redis://:secret@127.0.0.1:6379/2',
    shown: 'redis://127.0.0.1:6379/2',
  })
  t.equal(read('rediss://name:secret@redis.example').shown, 'rediss://redis.example')
})

t.test('a Sentinel address has the Sentinels, their login, the name of the primary, its login and the database', async t => {
  t.strictSame(read('redis+sentinel://name:p%40ss:word@one,two:5000,[::1]/main/3?sentinel_user=watch&sentinel_password=hidden'), {
    kind: 'sentinel',
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'two', port: 5000 },
      { host: '::1', port: 26_379 },
    ],
    primary: 'main',
    database: 3,
    sentinelLogin: { username: 'watch', password: 'hidden' },
    login: { username: 'name', password: 'p@ss:word' },
    tls: false,
    shown: 'redis+sentinel://one,two:5000,[::1]/main/3',
  })
  t.match(read('redis+sentinel://one/main'), { database: 0, login: {}, sentinelLogin: {} })
})

t.test('a Cluster address has several nodes and only the database 0', async t => {
  t.strictSame(read('rediss+cluster://:secret@one,two:7000/0'), {
    kind: 'cluster',
    nodes: [
      { host: 'one', port: 6_379 },
      { host: 'two', port: 7000 },
    ],
    login: { password: 'secret' },
    tls: true,
    shown: 'rediss+cluster://one,two:7000/0',
  })
})

t.test('any other address is refused without showing its password', async t => {
  for (const value of [
    'secret',
    'http://:secret@one',
    'redis://:secret@one/name',
    'redis+cluster://:secret@one:0',
    'redis+cluster://:secret@one:65536',
    'redis+cluster://:secret@one,,two',
    'redis+cluster://:secret@one/1',
    'redis+cluster://:secret@one?sentinel_user=secret',
    'redis+cluster://:secret%@one',
    'redis+sentinel://:secret@one',
    'redis+sentinel://:secret@one/main/name',
    'redis+sentinel://:secret@one/main?password=secret',
  ]) {
    try {
      read(value)
      t.fail(`${value} was accepted`)
    } catch (error) {
      t.type(error, OperatorError)
      t.match(String(error), /HSAPI_REDIS_URL must be an address such as redis:/, `${value} is refused`)
      t.notMatch(String(error), /secret/, `the error for ${value} does not contain the password`)
    }
  }
})

t.test('the refusal of a wrong address says what is wrong with it', async t => {
  const wrong: [string, RegExp][] = [
    ['redis+sentinel://:secret@one', /the name that they give to the primary/],
    ['redis+sentinel://:secret@one/main?sentinel_pasword=secret', /only parameters are sentinel_user and sentinel_password/],
    ['redis+sentinel://:sec@ret@one/main', /percent-encode special characters/],
    ['redis+sentinel://:secret%@one/main', /percent-encoding/],
    ['redis+sentinel://:secret@one:99999/main', /a host or its port is invalid/],
    ['redis+sentinel://:secret@one;two/main', /a host or its port is invalid/],
    ['redis+cluster://:secret@one two', /a host or its port is invalid/],
    ['redis+cluster://:secret@one/1', /only database 0/],
    ['redis+cluster://:secret@one?a=secret', /no parameters/],
  ]
  for (const [value, why] of wrong) {
    t.throws(() => read(value), { message: why }, value)
    try {
      read(value)
    } catch (error) {
      t.notMatch(String(error), /secret|ret@/, value)
    }
  }
})
