import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { MAIN, prepared, run, startServe } from '../support/cli.js'
import { ask } from '../support/service.js'

const OTHER = 12_345
const AS_OTHER = { uid: OTHER, gid: OTHER }
const isReadable = () => spawnSync('test', ['-r', MAIN], AS_OTHER).status === 0
const skip =
  process.getuid?.() !== 0
    ? 'only root can act as another user'
    : isReadable()
      ? false
      : 'another user cannot read the program here'

t.test(
  "changes that root makes in the data directory take effect, and the files still belong to the server's user",
  { skip },
  async t => {
    const env = await prepared(t)
    mkdirSync(env.HSAPI_DATA_DIR, { mode: 0o700 })
    chmodSync(join(env.HSAPI_DATA_DIR, '..'), 0o755)
    chownSync(env.HSAPI_DATA_DIR, OTHER, OTHER)
    const create = async () => JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout)
    const { id, key } = await create()
    const served = await startServe(t, env, undefined, AS_OTHER)
    const status = async () => (await ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })).status
    t.equal(await status(), 200, 'a key that root created is accepted')
    t.equal((await run(['keys', 'revoke', id], env)).code, 0)
    for (let i = 0; i < 40 && (await status()) === 200; i++) await wait(25)
    t.equal(await status(), 401, 'the revoked key is refused within a second')
    t.equal(await served.end('SIGTERM'), 0)
    for (const name of readdirSync(env.HSAPI_DATA_DIR))
      t.match(statSync(join(env.HSAPI_DATA_DIR, name)), { uid: OTHER, gid: OTHER }, name)
    const again = await startServe(t, env, undefined, AS_OTHER)
    t.equal(await again.end('SIGTERM'), 0, 'the next start succeeds')
  },
)
