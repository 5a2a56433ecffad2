/** A connection to Redis for the admin port, opened when it is first needed. */
import { OperatorError } from '../errors.js'
import { RedisConnection, type RedisOptions } from '../redis/connection.js'

const CONNECT_MS = 1_000

export class AdminRedis {
  #opened: Promise<RedisConnection> | undefined
  #isClosed = false

  constructor(private readonly options: RedisOptions) {}

  async connection(): Promise<RedisConnection> {
    if (this.#isClosed) throw new OperatorError('the server is stopping')
    // no idle limit: the connection is silent while the admin port is not used
    this.#opened ??= RedisConnection.open(this.options, () => {}, 0)
    const connection = await this.#opened
    await connection.ready(CONNECT_MS)
    return connection
  }

  async close(): Promise<void> {
    this.#isClosed = true
    ;(await this.#opened)?.close()
  }
}
