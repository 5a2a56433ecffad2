import t from 'tap'
import { builtSnapshot, run } from '../support/cli.js'
import { dataOf, openService } from '../support/service.js'

const env = { HSAPI_SNAPSHOT: await builtSnapshot(t) }

t.test('--json is exactly the data of the HTTP response', async t => {
  const { get, auth } = await openService(t)
  for (const [args, query] of [
    [['852321', '999999999999.99', '--vat'], 'hs_code=852321&value=999999999999.99&include_vat=1'],
    [['852321', '1000', '--vat', '7.50'], 'hs_code=852321&value=1000&include_vat=1&vat_rate=7.50'],
    [['0101', '1e-2', '--currency', 'aed'], 'hs_code=0101&value=1e-2&currency=aed'],
    [['85', '0.07', '--vat', '--currency', 'AED'], 'hs_code=85&value=0.07&include_vat=1&currency=AED'],
    [
      '852329 99.95 --country sa --as-of 2026-03-01 --origin CH --freight 5 --convert'.split(' '),
      'hs_code=852329&value=99.95&country=SA&as_of=2026-03-01&origin=CH&freight=5&convert=1',
    ],
    [
      '010221 100 --country SA --as-of 2026-03-01 --quantity 5 --unit l --sugar 9 --no-vat'.split(' '),
      'hs_code=010221&value=100&country=SA&as_of=2026-03-01&quantity=5&unit=l&sugar=9&include_vat=0',
    ],
  ] as const) {
    const answer = await get(`/api/v1/tariff/calculate?${query}`, auth)
    const { code, stdout, stderr } = await run(['tariff', ...args, '--json'], env)
    t.equal(code, 0, stderr)
    t.equal(stdout, `${dataOf(answer)}\n`)
  }
})

t.test('--vat works with and without a rate', async t => {
  const calculation = async (...args: string[]) => JSON.parse((await run(['tariff', ...args, '--json'], env)).stdout).calculation
  t.match(await calculation('852321', '1000', '--vat', '15'), { vat_rate: 15, vat_amount: 157.5 })
  t.match(await calculation('852321', '1000', '--vat=7.5'), { vat_rate: 7.5 })
  t.match(await calculation('852321', '1000', '--vat', '--currency', 'aed'), { vat_rate: 5, currency: 'AED' })
  t.match(await calculation('8523.21', '1000'), { vat_rate: 0, landed_cost: 1050 })
})

t.test('without --json, a table for people is printed', async t => {
  const { stdout } = await run(['tariff', '852321', '1000', '--vat', '--currency', 'AED'], env)
  t.equal(
    stdout,
    `852321
Cards with a magnetic stripe
declared value      1000  AED
import duty           50  AED  5 %
VAT                 52.5  AED  5 %
duties and taxes   102.5  AED
landed cost       1102.5  AED
Rates are indicative only and must be verified with the customs authority for an official assessment.
`,
  )
  t.match((await run(['tariff', '852321', '1'], env)).stdout, /VAT +0 {2}USD {2}not included; add --vat\n/)
})

t.test('the table for a country has its excise, fees and agreement', async t => {
  const { stdout } = await run('tariff 852329 1000 --country SA --as-of 2026-03-01 --currency SAR --origin EG'.split(' '), env)
  t.match(stdout, /^852329 {2}SA, list of 2026-02-25\n/)
  t.match(stdout, /excise +500 {2}SAR {2}50 %, published\n/)
  t.match(stdout, /fee +15 {2}SAR {2}0\.15 %, at least 15, /)
  const costly = await run('tariff 852329 1000000 --country SA --as-of 2026-03-01 --currency SAR'.split(' '), env)
  t.match(costly.stdout, /fee +500 {2}SAR {2}0\.15 %, at least 15, at most 500, /)
  t.match(stdout, /landed cost +1742\.25 {2}SAR/)
  t.match(stdout, /Origin EG: Greater Arab Free Trade Area\. Certificate of origin\n/)
  t.match(stdout, /Not included: Fee that may apply: Inspection, SAR 100\./)
})

t.test('the exit code is 1 for an unknown code, and 2 for a usage error', async t => {
  for (const [args, exit, message] of [
    [['852399', '1'], 1, /HS code 852399 is not in the dataset\nnearest {3}8523 {2}Media/],
    [['852321'], 2, /VALUE is missing/],
    [['852321', '20,000'], 2, /VALUE must be a plain number from 0\.01/],
    [['852321', '1', '--vat', '101'], 2, /--vat must be a percentage from 0 to 100/],
    [['852321', '1', '--currency', 'dirham'], 2, /--currency must be three letters/],
    [['852321', '1', '--sugar', '5'], 2, /--sugar needs --country/],
    [['852321', '1', '--country', 'FR'], 2, /--country must be/],
    [['852321', '1', '--country', 'SA', '--origin', 'ZZ'], 2, /--origin must be the two-letter ISO code/],
    [['852321', '1', '2'], 2, /unexpected argument "2"/],
  ] as [string[], number, RegExp][]) {
    const { code, stderr } = await run(['tariff', ...args], env)
    t.equal(code, exit, args.join(' '))
    t.match(stderr, message)
  }
})
