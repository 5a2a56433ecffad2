/** The key created at the first start. It is shown once, with an example request that works. */
import { type Clock, isoSeconds } from '../clock.js'
import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import type { Config } from '../settings/config.js'
import type { KeySource } from './key-source.js'
import type { Log } from './log.js'

const FIRST_KEY: KeyOptions = { tier: 'free', name: 'first key', expiresAt: null, perMinute: null, perDay: null }
const EXAMPLE_CODE = '852321'

/** Creates no key with HSAPI_LOG=json: such logs are collected, and a key must not get into them. */
export async function createFirstKey(keys: KeySource, config: Config, clock: Clock, log: Log): Promise<MadeKey | undefined> {
  if (config.firstKey && config.log !== 'json') return keys.createFirst(FIRST_KEY, isoSeconds(clock.now()))
  log('hsapi: there are no keys yet; "hsapi keys create --tier free" creates one')
  return undefined
}

/** `pages`: whether there is an explorer, and whether it requires a key. */
export function showFirstKey({ key }: MadeKey, url: string, pages: 'open' | 'key' | undefined, log: Log): void {
  log(`Created a Free key; it is shown only once: ${key}`)
  const [place, base] = url.startsWith('unix:') ? [`--unix-socket ${url.slice('unix:'.length)} `, 'http://localhost'] : ['', url]
  log(`Try it: curl ${place}-H 'X-Api-Key: ${key}' ${base}/api/v1/hs-codes/${EXAMPLE_CODE}`)
  if (pages === undefined || place !== '') return
  // browsers do not send the fragment, so the key does not get into logs
  log(`Open in a browser: ${base}/${pages === 'key' ? `#key=${key}` : ''}`)
}
