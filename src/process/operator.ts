/** The admin port's part for operators: keys, figures, and a page with both. */
import { join } from 'node:path'
import type { AdminTarget } from '../admin/listener.js'
import type { OperatorTarget } from '../admin/operator-api.js'
import type { Clock } from '../clock.js'
import type { Gate } from '../gate/gate.js'
import { KeyFile } from '../keys/key-file.js'
import type { LeaseTable } from '../leases/lease-table.js'
import type { Tally } from '../metrics/tally.js'
import { packageRoot } from '../package-root.js'
import type { Counters } from '../quotas/counters.js'
import type { Config } from '../settings/config.js'
import { AdminPage } from '../web/server/admin-page.js'
import { AdminRedis } from './admin-redis.js'
import type { Administration } from './administration.js'
import { KeyUses } from './key-use.js'
import type { StoreStatusLog } from './leases.js'
import type { Log } from './log.js'
import { KeyManager } from './manage-keys.js'
import type { Teardown } from './teardown.js'
import { UsageFigures } from './usage-figures.js'

export interface OperatorOptions {
  config: Config
  engine: string
  administration: Administration
  gate: Gate
  counters: Counters
  tallies: readonly Tally[]
  leases: { table: LeaseTable; store: StoreStatusLog } | undefined
  clock: Clock
  /** Settles once all threads have the stored keys. */
  applyKeys(): Promise<void>
  log: Log
}

export function openOperator(options: OperatorOptions, teardown: Teardown): OperatorTarget {
  const { config, gate, counters, leases, clock, applyKeys, log } = options
  const redis = config.redis && new AdminRedis(config.redis)
  const keys = new KeyManager({
    store:
      config.keys === 'redis' && redis !== undefined
        ? redis
        : new KeyFile(config.dataDir, { notify: sentence => log(`hsapi: ${sentence}`, 'warning') }),
    dataDir: config.dataDir,
    uses: new KeyUses(gate, counters, redis),
    clock,
    count: () => gate.slots,
    apply: applyKeys,
    log,
  })
  const figures = new UsageFigures({ ...options, keys: config.keys, shared: redis && leases && { redis, ...leases } })
  teardown.push('rest', async () => {
    figures.stop()
    keys.stop()
    await redis?.close()
  })
  return { keys, usage: () => figures.read() }
}

const FOLDER = join(packageRoot(), 'dist', 'web')

/** The page files are read at the first request. */
export function adminPage(log: Log, folder = FOLDER): AdminTarget['page'] {
  let opened: Promise<AdminPage | undefined> | undefined
  return async ({ path, query, headers }) => {
    opened ??= AdminPage.open(folder).catch(error => {
      log(
        `hsapi: the page of the admin port is disabled: page files missing or incomplete: ${(error as Error).message}`,
        'warning',
      )
      return undefined
    })
    return (await opened)?.answer(path, query, headers)
  }
}
