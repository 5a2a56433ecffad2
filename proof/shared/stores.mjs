/** Redis that survives the failure of a server: three sentinels with a primary and a replica, and a cluster. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './program.mjs'
import { RedisProcess } from './redis.mjs'

const SENTINELS = 3
/** After this time without a reply, a server is considered down. */
const DOWN_MS = 1_000
const PRIMARY = 'mymaster'
/** Long, because on a busy machine sentinels distrust their own clock, and wait. */
const CHANGE_MS_MAX = 180_000

async function until(holds, what) {
  const deadline = Date.now() + CHANGE_MS_MAX
  while (!(await holds().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`${what} within ${CHANGE_MS_MAX / 1000} s`)
    await wait(50)
  }
}

const fields = text => Object.fromEntries(text.split(/\r?\n/).map(line => line.split(':')))

async function replicationOf(server) {
  return fields(await server.cli('INFO', 'replication'))
}

/** Three sentinels, a primary and a replica. */
export class SentinelStore {
  #folder
  #servers = []
  #sentinels = []
  #password
  #sentinelPassword

  /** @param {{password?: string, sentinelPassword?: string}} passwords */
  constructor(folder, { password = '', sentinelPassword = '' } = {}) {
    this.#folder = folder
    this.#password = password
    this.#sentinelPassword = sentinelPassword
  }

  async start() {
    mkdirSync(this.#folder, { recursive: true })
    const [primary, replica] = [0, 1].map(i => new RedisProcess(`${this.#folder}/server-${i}`))
    this.#servers = [primary, replica]
    const login = this.#password === '' ? [] : ['--requirepass', this.#password, '--masterauth', this.#password]
    for (const server of this.#servers) server.password = this.#password
    await primary.start('--repl-diskless-sync-delay', '0', ...login)
    await replica.start('--replicaof', '127.0.0.1', String(primary.port), '--repl-diskless-sync-delay', '0', ...login)
    for (let i = 0; i < SENTINELS; i++) {
      const sentinel = new RedisProcess(`${this.#folder}/sentinel-${i}`)
      sentinel.port = await freePort()
      sentinel.password = this.#sentinelPassword
      const file = `${this.#folder}/sentinel-${i}.conf`
      const lines = [
        `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary.port} 2`,
        `sentinel down-after-milliseconds ${PRIMARY} ${DOWN_MS}`,
        `sentinel failover-timeout ${PRIMARY} ${3 * DOWN_MS}`,
      ]
      if (this.#password !== '') lines.push(`sentinel auth-pass ${PRIMARY} ${this.#password}`)
      if (this.#sentinelPassword !== '')
        lines.push(`requirepass ${this.#sentinelPassword}`, `sentinel sentinel-pass ${this.#sentinelPassword}`)
      writeFileSync(file, `${lines.join('\n')}\n`)
      await sentinel.startFrom(file, '--sentinel')
      this.#sentinels.push(sentinel)
    }
    await this.settled()
    return this
  }

  get url() {
    const login = this.#password === '' ? '' : `:${encodeURIComponent(this.#password)}@`
    const query = this.#sentinelPassword === '' ? '' : `?sentinel_password=${encodeURIComponent(this.#sentinelPassword)}`
    return `redis+sentinel://${login}${this.#sentinels.map(({ port }) => `127.0.0.1:${port}`).join()}/${PRIMARY}${query}`
  }

  /** Waits until all sentinels know each other, and the primary has its replica. */
  async settled() {
    const isSettled = async () => {
      for (const sentinel of this.#sentinels) {
        const [head] = (await sentinel.cli('INFO', 'sentinel')).split(/\r?\n/).filter(line => line.startsWith('master0'))
        if (!/status=ok,.*slaves=1,sentinels=3/.test(head)) return false
      }
      const { role, connected_slaves: replicas } = await replicationOf(await this.primary())
      return role === 'master' && replicas === '1'
    }
    await until(isSettled, 'the sentinels did not agree')
  }

  /** The server that the first sentinel names. */
  async primary() {
    const [, port] = (await this.#sentinels[0].cli('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', PRIMARY)).split('\n')
    return this.#servers.find(server => String(server.port) === port.trim())
  }

  /**
   * Makes one sentinel name another primary, without a message to its clients. Clients that ask again who is the primary ask
   * the first sentinel.
   */
  async rename(i) {
    await this.#sentinels[i].cli('SENTINEL', 'REMOVE', PRIMARY)
    await this.#sentinels[i].cli('SENTINEL', 'MONITOR', PRIMARY, '127.0.0.1', '1', '2')
  }

  /** Makes one sentinel name no primary at all. */
  async forget(i) {
    await this.#sentinels[i].cli('SENTINEL', 'REMOVE', PRIMARY)
  }

  /** Waits until a different server is the primary. */
  async changed(from) {
    const isOther = async () => {
      const now = await this.primary()
      return now !== from && (await replicationOf(now)).role === 'master'
    }
    await until(isOther, 'no other server was promoted')
  }

  async end() {
    for (const server of [...this.#sentinels, ...this.#servers]) await server.kill()
  }
}

/** A cluster of three primaries, optionally with three replicas. */
export class ClusterStore {
  #folder
  #servers = []
  #hasReplicas

  constructor(folder, hasReplicas = true) {
    this.#folder = folder
    this.#hasReplicas = hasReplicas
  }

  async start() {
    const count = this.#hasReplicas ? 6 : 3
    for (let i = 0; i < count; i++) {
      const server = new RedisProcess(`${this.#folder}/node-${i}`)
      const bus = String(await freePort())
      const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(DOWN_MS), '--cluster-port', bus]
      await server.start(...options, '--repl-diskless-sync-delay', '0')
      this.#servers.push(server)
    }
    const replicas = this.#hasReplicas ? ['--cluster-replicas', '1'] : []
    const addresses = this.#servers.map(({ port }) => `127.0.0.1:${port}`)
    await this.#servers[0].cli('--cluster', 'create', ...addresses, ...replicas, '--cluster-yes')
    await this.settled()
    return this
  }

  get url() {
    return `redis+cluster://${this.#servers.map(({ port }) => `127.0.0.1:${port}`).join()}`
  }

  /** Waits until every server knows that all slots are served, and every primary has its replica. */
  async settled() {
    const isSettled = async () => {
      for (const server of this.#servers) {
        const { cluster_state: state, cluster_known_nodes: known } = fields(await server.cli('CLUSTER', 'INFO'))
        if (state !== 'ok' || Number(known) !== this.#servers.length) return false
        const { role, connected_slaves: replicas } = await replicationOf(server)
        if (this.#hasReplicas && role === 'master' && replicas !== '1') return false
      }
      return true
    }
    await until(isSettled, 'the cluster did not start')
  }

  /** Runs a command on every server. */
  async cliAll(...command) {
    for (const server of this.#servers) await server.cli(...command)
  }

  /** The primary whose slots include this name. */
  async primary(name) {
    const slot = Number(await this.#servers[0].cli('CLUSTER', 'KEYSLOT', name))
    for (const server of this.#servers) {
      const own = (await server.cli('CLUSTER', 'NODES').catch(() => '')).split('\n').find(line => line.includes('myself'))
      if (own?.includes('master') && ownsSlot(own, slot)) return server
    }
    return undefined
  }

  /** Waits until the slots of this server are served by another. */
  async changed(from) {
    const isOther = async () => {
      for (const server of this.#servers) {
        if (server === from) continue
        const text = await server.cli('CLUSTER', 'NODES')
        const before = text.split('\n').find(line => line.includes(`:${from.port}@`))
        if (before === undefined || slotsOf(before).length > 0) return false
        if (!(await server.cli('CLUSTER', 'INFO')).includes('cluster_state:ok')) return false
      }
      return true
    }
    await until(isOther, 'no replica took over')
  }

  async end() {
    for (const server of this.#servers) await server.kill()
  }
}

/** The ranges of slots in a line of CLUSTER NODES. */
const slotsOf = line => line.trim().split(' ').slice(8)

function ownsSlot(line, slot) {
  return slotsOf(line).some(range => {
    const [from, to = from] = range.split('-').map(Number)
    return slot >= from && slot <= to
  })
}
