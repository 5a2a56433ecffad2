/** The key of a first start, shown once with a request that works. */

import type { KeyOptions, MadeKey } from '../keys/key-record.js'
import type { Config } from '../settings/config.js'
import type { KeySource } from './key-source.js'
import type { Log } from './log.js'

const EXAMPLE_CODE = '852321'

export const FIRST_KEY: KeyOptions = {
  tier: 'free',
  name: 'first key',
  expiresAt: null,
  perMinute: null,
  perDay: null,
}

/** None where none is wanted, nor where it would be shown in a log of JSON: such logs are collected and kept. */
export async function createFirstKey(keys: KeySource, config: Config, log: Log): Promise<MadeKey | undefined> {
  if (config.firstKey && config.log !== 'json') return keys.createFirst()
  log('hsapi: there are no keys yet; "hsapi keys create --tier free" makes one')
  return undefined
}

/** `pages`: whether there are pages for people to look at, and if so whether they ask for a key. */
export function showFirstKey({ key }: MadeKey, url: string, pages: 'open' | 'key' | undefined, log: Log): void {
  log(`A free key was made for you. It is shown only this once: ${key}`)
  const [place, base] = url.startsWith('unix:') ? [`--unix-socket ${url.slice('unix:'.length)} `, 'http://localhost'] : ['', url]
  log(`Try: curl ${place}-H 'X-Api-Key: ${key}' ${base}/api/v1/hs-codes/${EXAMPLE_CODE}`)
  if (pages === undefined || place !== '') return
  // a browser keeps what follows # to itself: the key is in no log
  log(`Look at it: ${base}/${pages === 'key' ? `#key=${key}` : ''}`)
}
