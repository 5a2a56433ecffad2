/** All faults of the shared store, under load on two replicas. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'
import { DelayProxy, isRedisHere, RedisProcess } from '../shared/redis.mjs'

const REPLICAS = 2
const CONNECTIONS = 4
const LIMIT = 40
const FAULT_MS = 600
const TRIES_MAX = 5
const HEARD_MS = 300
/**
 * Limit for an answer. A request waits for at most a quarter of this time; the rest allows for a busy machine. The measured
 * time is printed.
 */
const LATE_MS_MAX = 1_000
const AWAY = 'Redis unreachable'
const BACK = 'Redis reachable again'

/** The faults by name: how each starts and ends, and whether the store is considered unreachable meanwhile. */
const KINDS = {
  killed: { begin: ({ redis }) => redis.kill(), end: ({ redis }) => redis.start(), isAway: true },
  paused: {
    begin: ({ redis }) => redis.signal('SIGSTOP'),
    end: ({ redis }) => redis.signal('SIGCONT'),
    isAway: true,
  },
  'cut off': {
    begin: ({ between }) => Object.assign(between, { isCut: true }),
    end: ({ between }) => Object.assign(between, { isCut: false }),
    isAway: true,
  },
  'out of memory': {
    begin: ({ redis }) => redis.cli('CONFIG', 'SET', 'maxmemory', '1'),
    end: ({ redis }) => redis.cli('CONFIG', 'SET', 'maxmemory', '0'),
    isAway: true,
  },
  'made a replica': {
    begin: ({ redis }) => redis.cli('REPLICAOF', '127.0.0.1', '1'),
    end: ({ redis }) => redis.cli('REPLICAOF', 'NO', 'ONE'),
    isAway: true,
  },
  '20 ms away': {
    begin: ({ between }) => Object.assign(between, { delayMs: 10 }),
    end: ({ between }) => Object.assign(between, { delayMs: 0 }),
  },
  flushed: { begin: ({ redis }) => redis.cli('FLUSHALL'), end: () => {} },
  'without its script': { begin: ({ redis }) => redis.cli('SCRIPT', 'FLUSH'), end: () => {} },
}

export class RedisFault {
  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 17)
    this.stage = stage
    this.env = { ...stage.env('redis'), HSAPI_ENGINE: engine }
  }

  async run() {
    if (!isRedisHere) return { skipped: 'redis-server is not installed' }
    this.redis = await new RedisProcess(this.stage.path('redis-store')).start()
    this.between = await new DelayProxy().start(this.redis.port)
    this.keys = Array.from({ length: 1 + TRIES_MAX * this.rounds * Object.keys(KINDS).length }, () => newKey(this.random))
    const limits = i => (i === 0 ? {} : { per_minute: LIMIT })
    writeKeys(
      this.env.HSAPI_DATA_DIR,
      this.keys.map((key, i) => ({ id: `redis${i}`, key, ...limits(i) })),
    )
    const env = { ...this.env, HSAPI_REDIS_URL: `redis://127.0.0.1:${this.between.port}` }
    this.servers = []
    for (let i = 0; i < REPLICAS; i++) this.servers.push(await ServerProcess.start(env))
    const slowest = {}
    let answered = 0
    let used = 0
    for (let round = 0; round < this.rounds; round++) {
      for (const [name, kind] of Object.entries(KINDS)) {
        const loads = await this.#runFault(name, kind)
        answered += loads.reduce((sum, load) => sum + load.answered, 0)
        slowest[name] = Math.max(slowest[name] ?? 0, ...loads.map(load => load.latencyMsMax))
        // on a busy machine a slow store may count as unreachable, and then limits are not exact
        for (let tries = 1; !(await this.#isExact(this.keys[++used])); tries++)
          assert.ok(tries < TRIES_MAX, `after "${name}" a key's limit is exact`)
      }
    }
    for (const server of this.servers) assert.equal(await server.end(), 0)
    await this.redis.kill()
    const times = Object.entries(slowest).map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
    return `${this.rounds} times each on ${REPLICAS} replicas; ${answered} answers, none lost or 5xx, quotas exact after each; the slowest answers, ms: ${times.join(', ')}`
  }

  #loads(key, isOk) {
    return this.servers.map(({ port }) =>
      new Load({
        port: () => port,
        connections: CONNECTIONS,
        next: () => ({ path: '/api/v1/hs-codes/85', key }),
        check: ({ status }) => (isOk(status) ? undefined : `status ${status}`),
      }).start(),
    )
  }

  async #runFault(name, { begin, end, isAway = false }) {
    const loggedBefore = this.servers.map(({ log }) => log.split(AWAY).length - 1)
    const loads = this.#loads(this.keys[0], status => status === 200)
    await wait(200)
    await begin(this)
    await wait(FAULT_MS)
    if (isAway) for (const [i, server] of this.servers.entries()) await server.waitForLog(AWAY, loggedBefore[i] + 1)
    await end(this)
    if (isAway) for (const [i, server] of this.servers.entries()) await server.waitForLog(BACK, loggedBefore[i] + 1)
    await wait(200)
    for (const load of loads) {
      await load.stop()
      assert.deepEqual(load.wrong, [], name)
      assert.ok(load.latencyMsMax < LATE_MS_MAX, `${name}: an answer took ${load.latencyMsMax.toFixed(0)} ms`)
    }
    for (const [i, { log }] of this.servers.entries()) {
      const lines = log.split('\n').filter(line => line.includes(AWAY))
      // on a busy machine a slow store may rightly count as unreachable
      const others = lines.slice(loggedBefore[i]).filter(line => !line.includes('no answer within'))
      assert.ok(others.length <= (isAway ? 1 : 0), `${name}: the fault is logged once, or not at all: ${others}`)
    }
    return loads
  }

  async #isExact(key) {
    while (this.servers.some(({ log }) => log.split(AWAY).length !== log.split(BACK).length)) await wait(10)
    const before = this.#timesAway()
    const loads = this.#loads(key, status => status === 200 || status === 429)
    while (loads.some(({ answered }) => answered < LIMIT * 2)) await wait(10)
    for (const load of loads) await load.stop()
    // log lines take time to arrive
    await wait(HEARD_MS)
    const admitted = loads.reduce((sum, load) => sum + load.counted(key), 0)
    if (admitted !== LIMIT) assert.notEqual(this.#timesAway(), before, `${admitted} of ${LIMIT} were admitted`)
    return admitted === LIMIT
  }

  #timesAway() {
    return this.servers.map(({ log }) => log.split(AWAY).length).join()
  }
}
