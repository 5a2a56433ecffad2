/**
 * A data directory of a build that did not keep a copy of the key file. Its server was killed while counts were in the log.
 * The files are unchanged; only the day of the counts is set to today.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { utcDay } from '../../src/clock.js'
import { prepared, run, startServe } from '../support/cli.js'
import { ask } from '../support/service.js'

const KEYS = {
  valid: 'hs_free_MaIuo448MJFk4mqmymALUBRdQf4ToOLw_SiDd14',
  revoked: 'hs_basic_D7U7fOxcss6ixSRCTyj0EaM7IWf5tRpp_sZmDg1',
  replaced: 'hs_free_qijBR4y3XhS2h1JgYD1dQukGCwWTR1Ce_jGJwX4',
  rotated: 'hs_free_2eFxZZhbBoep9Df1jesWw1YKdknTpjzP_hmJlD0',
  expired: 'hs_pro_RmA77UDGcUlkw2b1N7BHI4LUZgxZtrVw_9XA6q3',
}

const KEYS_JSON = `{"version":1,"keys":[
{"id":"4goTQdhyJ8","name":"valid","tier":"free","hash":"zzuySPvJl3evFRIohasZdzZ7U8Zrl1_4uiWTsBghGic","checksum":"SiDd14","expires_at":null,"per_minute":null,"per_day":null,"created_at":"2026-11-18T06:49:22+00:00","revoked_at":null,"rotated_at":null},
{"id":"Nz3xkwGdAV","name":"revoked","tier":"basic","hash":"RxUgHdDFjHWjuZzG9MPWOi2fEpG90RISzsnNL_HieOk","checksum":"sZmDg1","expires_at":null,"per_minute":null,"per_day":null,"created_at":"2026-11-18T06:49:22+00:00","revoked_at":"2026-11-18T06:49:25+00:00","rotated_at":null},
{"id":"hGY55q64m7","name":"rotated","tier":"free","hash":"s_hJxA4VUWu0V7cx-ZSJghqJN9a2uPFvQ03I_EQsPo8","checksum":"hmJlD0","expires_at":null,"per_minute":500,"per_day":7,"created_at":"2026-11-18T06:49:23+00:00","revoked_at":null,"rotated_at":"2026-11-18T06:49:27+00:00"},
{"id":"qnev0Y0m9I","name":"expired","tier":"pro","hash":"LetJJNcZzybI0VZQv-VpCJ9fuofcbFZL6w3JUpMGDLQ","checksum":"9XA6q3","expires_at":"2026-11-17","per_minute":null,"per_day":null,"created_at":"2026-11-16T06:49:24+00:00","revoked_at":null,"rotated_at":null}
]}
`
const LOCK =
  '{"pid":26182,"started":"83706","host":"vm","boot":"c9945a2a-a840-4e4e-b373-6dd31d9d40cd","pidNamespace":"pid:[4026531836]","nonce":"bc29f796052b728c","shares":false}'

function oldDirectory(directory: string, day: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text, { mode: 0o600 })
  write('keys.json', KEYS_JSON)
  write(
    'usage.json',
    `{"version":2,"number":1,"usage":[\n["4goTQdhyJ8",${day},5,1794984570957,5],\n["hGY55q64m7",${day},3,1794984571484,3],\nnull]}\n`,
  )
  write('usage.1.log', `["4goTQdhyJ8",${day},7,1794984570957,7]\n`)
  write('server-bc29f796052b728c.lock', LOCK)
}

t.test('a data directory of an earlier build keeps its keys, revocations and counts', async t => {
  const env = await prepared(t)
  const today = () => utcDay(Date.now())
  const day = today()
  oldDirectory(env.HSAPI_DATA_DIR, day)
  const served = await startServe(t, env)
  t.notMatch(served.output(), /Created a Free key/, 'the server has found the keys')

  const lookup = (key: string) => ask(served.url, '/api/v1/hs-codes/85', { 'x-api-key': key })
  for (const name of ['revoked', 'replaced'] as const) {
    const { status, text } = await lookup(KEYS[name])
    t.equal(status, 401, name)
    t.match(text, 'invalid_api_key', name)
  }
  t.match((await lookup(KEYS.expired)).text, 'api_key_expired')
  const valid = await lookup(KEYS.valid)
  const rotated = await lookup(KEYS.rotated)
  t.equal(valid.status, 200)
  t.equal(rotated.status, 200)
  t.equal(rotated.headers.get('x-ratelimit-limit-minute'), '500', 'the key has its own limits')
  // if midnight passed, there is nothing to compare
  if (today() === day) {
    t.equal(
      valid.headers.get('x-ratelimit-remaining-day'),
      '992',
      '7 of 1,000 had been used, two of them recorded only in the log',
    )
    t.equal(rotated.headers.get('x-ratelimit-remaining-day'), '3', '3 of the 7 requests of this key had been used')
  }
  t.equal(await served.end('SIGTERM'), 0)

  const { stdout } = await run(['keys', 'list'], env)
  for (const name of ['valid', 'revoked', 'rotated', 'expired']) t.match(stdout, name)
  const { code } = await run(['keys', 'revoke', '4goTQdhyJ8'], env)
  t.equal(code, 0, 'a command can change the keys')
  t.match(readFileSync(join(env.HSAPI_DATA_DIR, 'keys.json'), 'utf8'), /"id":"4goTQdhyJ8".*"revoked_at":"2/)
})
