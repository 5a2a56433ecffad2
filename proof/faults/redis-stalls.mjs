/** Stalls of the Redis that four replicas share, under load: how far a key's limit is exceeded. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { newKey, writeKeys } from '../shared/keys.mjs'
import { Load } from '../shared/load.mjs'
import { ServerProcess } from '../shared/program.mjs'
import { Random } from '../shared/random.mjs'
import { DelayProxy, isRedisHere, RedisProcess } from '../shared/redis.mjs'

const REPLICAS = 4
const CONNECTIONS = 4
const LIMITS = [200, 2_000]
const LOST = 'Redis unreachable'
const BACK = 'Redis reachable again'
/** Replicas discover each other within a second. */
const DISCOVERY_MS = 1_500
/** A limit counts as used up after this time without an admission. */
const SPENT_MS = 1_500
const TRIES_MAX = 6
const EXCESS_MAX = 0.1

/** The stalls by name: how long and how often Redis stalls, and whether limits stay exact. */
const STALLS = {
  short: { minMs: 60, maxMs: 200, count: 8, isExact: true },
  long: { minMs: 300, maxMs: 2_000, count: 3, isExact: false },
}

/** The ways to stall Redis, by name. */
const STALL_KINDS = {
  paused: {
    begin: ({ redis }) => redis.signal('SIGSTOP'),
    end: ({ redis }) => redis.signal('SIGCONT'),
  },
  'delayed by a proxy': { begin: ({ between }) => between.hold(), end: ({ between }) => between.release() },
}

export class RedisStalls {
  #used = 0

  constructor({ stage, rounds, seed, engine }) {
    this.rounds = rounds
    this.random = new Random(seed, 18)
    this.stage = stage
    this.env = { ...stage.env('redis-stalls'), HSAPI_ENGINE: engine }
  }

  async run() {
    if (!isRedisHere) return { skipped: 'redis-server is not installed' }
    await this.#start()
    const worst = {}
    let late = 0
    for (let round = 0; round < this.rounds; round++) {
      for (const limit of LIMITS) {
        for (const [way, how] of Object.entries(STALL_KINDS)) {
          for (const [length, stalls] of Object.entries(STALLS)) {
            const { excess, tries } = await this.#runStalls(limit, how, stalls, `${length}, ${way}`)
            late += tries - 1
            worst[length] = Math.max(worst[length] ?? -1, excess)
          }
        }
      }
    }
    for (const server of this.servers) assert.equal(await server.end(), 0)
    await this.redis.kill()
    const most = `${(100 * worst.long).toFixed(1)} %`
    return `${this.rounds} times on ${REPLICAS} replicas with limits of ${LIMITS.join(' and ')}; limits exact during stalls of 60 to 200 ms (${late} repeated: a busy machine made them longer), exceeded by at most ${most} during those of 300 ms to 2 s`
  }

  async #start() {
    this.redis = await new RedisProcess(this.stage.path('redis-stalls-store')).start()
    this.between = await new DelayProxy().start(this.redis.port)
    const cases = LIMITS.length * Object.keys(STALL_KINDS).length * Object.keys(STALLS).length
    this.keys = LIMITS.map(() => Array.from({ length: this.rounds * cases * TRIES_MAX }, () => newKey(this.random)))
    writeKeys(
      this.env.HSAPI_DATA_DIR,
      LIMITS.flatMap((limit, i) => this.keys[i].map((key, n) => ({ id: `stall${i}-${n}`, key, per_day: limit }))),
    )
    const env = { ...this.env, HSAPI_REDIS_URL: `redis://127.0.0.1:${this.between.port}` }
    this.servers = []
    for (let i = 0; i < REPLICAS; i++) this.servers.push(await ServerProcess.start(env))
    await wait(DISCOVERY_MS)
  }

  /** The excess over the limit, as a share of it. Repeats the stalls if a busy machine made them longer. */
  async #runStalls(limit, how, stalls, name) {
    for (let tries = 1; ; tries++) {
      const before = this.#timesLost()
      const key = this.keys[LIMITS.indexOf(limit)][this.#used++]
      const admitted = await this.#admitted(key, how, stalls)
      const excess = admitted / limit - 1
      assert.ok(excess < EXCESS_MAX, `${name}: ${admitted} of ${limit} were admitted`)
      if (!stalls.isExact || excess === 0) return { excess, tries }
      assert.notEqual(this.#timesLost(), before, `${name}: ${admitted} of ${limit} were admitted`)
      assert.ok(tries < TRIES_MAX, `${name}: the machine is too busy for this test`)
    }
  }

  async #admitted(key, { begin, end }, { minMs, maxMs, count }) {
    const loads = this.servers.map(({ port }) =>
      new Load({
        port: () => port,
        connections: CONNECTIONS,
        next: () => ({ path: '/api/v1/hs-codes/85', key, pauseMs: this.random.between(0, 10) }),
        check: ({ status }) => (status === 200 || status === 429 ? undefined : `status ${status}`),
      }).start(),
    )
    for (let n = 0; n < count; n++) {
      await wait(this.random.between(20, 120))
      await begin(this)
      await wait(this.random.between(minMs, maxMs))
      await end(this)
    }
    while (this.servers.some(({ log }) => log.split(LOST).length !== log.split(BACK).length)) await wait(10)
    const admitted = () => loads.reduce((sum, load) => sum + load.counted(key), 0)
    for (let before = -1; before !== admitted(); await wait(SPENT_MS)) before = admitted()
    for (const load of loads) {
      await load.stop()
      assert.deepEqual(load.wrong, [])
    }
    return admitted()
  }

  #timesLost() {
    return this.servers.map(({ log }) => log.split(LOST).length).join()
  }
}
