/**
 * Keys on the admin port. Changes use the same stores as the commands, and all threads apply them before the answer is sent.
 */
import type { KeyQuery } from '../admin/key-fields.js'
import type { KeyAdministration, ListedKey, NewKey } from '../admin/operator-api.js'
import { type Clock, isoDay, isoSeconds } from '../clock.js'
import { AUDIT_NAME, type KeyChange, writeAudit } from '../keys/audit.js'
import type { KeyFile } from '../keys/key-file.js'
import { type KeyOptions, KeyRefusal, type KeyStore, type MadeKey, noSuchKey } from '../keys/key-record.js'
import { type KeyView, keyStatus, viewOf } from '../keys/key-view.js'
import { RedisKeys } from '../redis/keys.js'
import type { AdminRedis } from './admin-redis.js'
import { KeyList, LISTED_KEYS_MAX } from './key-list.js'
import { FileKeyRows, RedisKeyRows } from './key-rows.js'
import type { KeyUses } from './key-use.js'
import type { Log } from './log.js'

export interface KeyManagerOptions {
  store: KeyFile | AdminRedis
  /** The directory with the log of key changes. */
  dataDir: string
  uses: KeyUses
  clock: Clock
  /** Returns an upper bound for the number of keys. */
  count(): number
  /** Settles once all threads have the stored keys. */
  apply(): Promise<void>
  log: Log
}

const keysIn = async (redis: AdminRedis) => new RedisKeys(await redis.connection())

export class KeyManager implements KeyAdministration {
  readonly #list: KeyList
  /** The latest change to a key; the next change waits for it. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(private readonly options: KeyManagerOptions) {
    const { store, count } = options
    const rows = 'connection' in store ? new RedisKeyRows(() => keysIn(store)) : new FileKeyRows(store)
    this.#list = new KeyList(rows, count)
  }

  async list(query: KeyQuery): Promise<{ keys: ListedKey[]; total: number }> {
    const { views, total } = await this.#list.find(query, isoDay(this.options.clock.now()))
    return { keys: await this.#listed(views), total }
  }

  async show(id: string): Promise<ListedKey> {
    const view = await this.#list.get(id)
    if (view === undefined) throw noSuchKey(id)
    return (await this.#listed([view]))[0] as ListedKey
  }

  async create(options: KeyOptions, address: string): Promise<NewKey> {
    return this.#change('created', address, async (store, now) => newKey(await store.create(options, now), now))
  }

  async rotate(id: string, graceMs: number, address: string): Promise<NewKey> {
    return this.#change('rotated', address, async (store, now) => newKey(await store.rotate(id, now, graceMs), now))
  }

  async revoke(id: string, address: string): Promise<KeyView> {
    return this.#change('revoked', address, async (store, now) => viewOf(await store.revoke(id, now), now))
  }

  stop(): void {
    this.#list.forget()
  }

  async #store(): Promise<KeyStore> {
    const { store } = this.options
    return 'connection' in store ? keysIn(store) : store
  }

  /** Requests of unlimited keys are not counted, so their usage is unknown. */
  async #listed(views: readonly KeyView[]): Promise<ListedKey[]> {
    const nowMs = this.options.clock.now()
    const uses = await this.options.uses.of(
      views.map(({ id }) => id),
      nowMs,
    )
    const uncounted = { used_today: null, used_this_minute: null, last_used_on: null }
    const now = isoSeconds(nowMs)
    return views.map(({ old_key_until: until, ...view }, i) => {
      const old = until !== undefined && until > now && view.revoked_at === null ? { old_key_until: until } : {}
      const use = view.unlimited ? uncounted : (uses[i] ?? uncounted)
      return { ...view, ...old, status: keyStatus(view, isoDay(nowMs)), ...use }
    })
  }

  #change<View extends KeyView>(
    kind: KeyChange,
    address: string,
    change: (store: KeyStore, now: string) => Promise<View>,
  ): Promise<View> {
    const { store: place, count, clock, apply, log, dataDir } = this.options
    const run = async () => {
      // a change to the key file reads and writes the whole file
      if (!('connection' in place) && count() > LISTED_KEYS_MAX)
        throw new KeyRefusal('many', `there are more than ${LISTED_KEYS_MAX} keys; use "hsapi keys" to change them`)
      const view = await change(await this.#store(), isoSeconds(clock.now()))
      log(`hsapi: key ${view.id} was ${kind} through the admin port, from ${address}`)
      await writeAudit(dataDir, kind, view.id, { from: 'admin port', address }, clock.now()).catch(error =>
        log(`hsapi: ${AUDIT_NAME}: the change of key ${view.id} could not be logged: ${error.message}`, 'error'),
      )
      await apply()
      return view
    }
    const done = this.#last.then(run)
    this.#last = done.catch(() => {})
    return done
  }
}

function newKey({ key, record }: MadeKey, now: string): NewKey {
  const { id, ...rest } = viewOf(record, now)
  return { id, key, ...rest }
}
