import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, prepared, run, startServe } from '../support/cli.js'
import { ask, ENGINES } from '../support/service.js'

/** The fixture without countries. */
const withoutCountries = (dataset: string) => rmSync(join(dataset, 'countries'), { recursive: true })

t.test('HSAPI_COUNTRY is the default of every thread, also after a reload', async t => {
  const env = { ...(await prepared(t)), HSAPI_COUNTRY: 'sa', HSAPI_WORKERS: ENGINES.includes('uws') ? '2' : '1' }
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'pro', '--json'], env)).stdout)
  const { url, output } = await startServe(t, env)
  const rates = async (query = '') => {
    const asked = Array.from({ length: 8 }, () => ask(url, `/api/v1/hs-codes/852321${query}`, { 'x-api-key': key }))
    return [...new Set((await Promise.all(asked)).map(({ body }) => body.data.tariff_rate))]
  }
  t.strictSame(await rates(), [20])
  t.strictSame(await rates('?country=AE'), [100])
  copyFileSync(await builtSnapshot(t, withoutCountries), env.HSAPI_SNAPSHOT)
  const reloaded = await run(['reload'], env)
  t.equal(reloaded.code, 2)
  t.match(output(), /HSAPI_COUNTRY is "SA", but the snapshot has no countries; still serving the previous dataset/)
  t.strictSame(await rates(), [20])
})

t.test('without a country in the request, the estimate of an import is for HSAPI_COUNTRY', async t => {
  const env = { ...(await prepared(t)), HSAPI_COUNTRY: 'SA' }
  const { key } = JSON.parse((await run(['keys', 'create', '--tier', 'free', '--json'], env)).stdout)
  const { url } = await startServe(t, env)
  const calculated = async (country = '') =>
    (await ask(url, `/api/v1/tariff/calculate?hs_code=852321&value=1000${country}`, { 'x-api-key': key })).body
  const forDefault = await calculated()
  t.equal(forDefault.data.country, 'SA')
  t.strictSame(forDefault.data, (await calculated('&country=SA')).data)
})

t.test('a country that is unknown, or that the snapshot lacks, prevents the start, with a one-line error', async t => {
  const env = await prepared(t)
  t.match(await run(['serve'], { ...env, HSAPI_COUNTRY: 'XX' }), {
    code: 2,
    stderr: 'hsapi: HSAPI_COUNTRY is "XX"; it must be one of AE, SA, BH, OM, QA, KW\n',
  })
  const missing = await run(['serve'], { ...env, HSAPI_PORT: '0', HSAPI_COUNTRY: 'OM' })
  t.equal(missing.code, 2)
  t.match(missing.stderr, /HSAPI_COUNTRY is "OM", but the snapshot has only AE, SA, KW\n$/)
  const bare = await builtSnapshot(t, withoutCountries)
  t.match(await run(['lookup', '8523', '--country', 'SA', '--snapshot', bare]), {
    code: 2,
    stderr: 'hsapi: --country is not supported: this dataset has no countries.\n',
  })
})
