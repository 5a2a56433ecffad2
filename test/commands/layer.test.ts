import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadSnapshot } from '../../src/snapshot/load.js'
import { run } from '../support/cli.js'
import { compiledBytes, compiledFixture, FIXTURE, temporaryDirectory } from '../support/service.js'

const SA = join(FIXTURE, 'countries', 'SA')

/** The fixture compiled without Saudi Arabia, and an output path. */
async function stage(t: Test) {
  const directory = temporaryDirectory(t)
  const dataset = join(directory, 'dataset')
  cpSync(FIXTURE, dataset, { recursive: true })
  rmSync(join(dataset, 'countries', 'SA'), { recursive: true })
  const sources = join(dataset, 'countries', 'sources.csv')
  const texts = readFileSync(sources, 'utf8').split('\n')
  writeFileSync(sources, texts.filter(line => !line.startsWith('sa-')).join('\n'))
  const [base, out] = [join(directory, 'base.snapshot'), join(directory, 'out.snapshot')]
  writeFileSync(base, await compiledBytes(dataset))
  const whole = join(directory, 'whole.snapshot')
  writeFileSync(whole, await compiledFixture())
  return { directory, base, out, whole }
}

const lay = (base: string, layer: string, out: string) => run(['build', '--base', base, '--layer', layer, '--out', out])

t.test('a layer added to a snapshot gives the same result as compiling both together', async t => {
  const { base, out, whole } = await stage(t)
  const added = await lay(base, `SA=${SA}`, out)
  t.strictSame([added.code, added.stderr], [0, ''])
  t.match(added.stdout, /with SA; countries: AE, SA, KW/)
  const { id } = await loadSnapshot(whole)
  t.equal((await loadSnapshot(out)).id, id)
  t.equal((await lay(out, `sa=${SA}`, out)).code, 0, 'the result is the same when the layer is added a second time')
  t.equal((await loadSnapshot(out)).id, id)
  const found = await run(['lookup', '852321', '--country', 'SA', '--snapshot', out])
  t.match(found.stdout, /20 %[\s\S]*SA: list of 2026-02-25[\s\S]*derived: Saudi list of 2026-02-25 \(2025-11-28\)/)
})

t.test('a layer with new rates replaces the lists; tables that it does not have are kept', async t => {
  const { directory, out, whole } = await stage(t)
  const layer = join(directory, 'layer')
  cpSync(SA, layer, { recursive: true })
  for (const name of ['taxes.csv', 'fees.csv', 'thresholds.csv']) rmSync(join(layer, name))
  writeFileSync(join(layer, 'sources.csv'), 'source,text\nnew,"Saudi list of 2026-11-01"\n')
  const country = JSON.parse(readFileSync(join(layer, 'country.json'), 'utf8'))
  const sourced = {
    ...country,
    peg: null,
    lists: [{ date: '2026-11-01', source: 'new' }],
    vat: { ...country.vat, source: 'new' },
  }
  writeFileSync(join(layer, 'country.json'), JSON.stringify(sourced))
  writeFileSync(
    join(layer, 'rates.csv'),
    'list,prefix,rate,status,date,source,certainty\n2026-11-01,,8.25,allowed,2026-11-01,new,published\n',
  )
  t.match(await lay(whole, `SA=${layer}`, out), { code: 0, stderr: '' })
  const [before, after] = [await loadSnapshot(whole), await loadSnapshot(out)]
  const [old, now] = [before, after].map(({ meta }) => meta.countries.find(({ code }) => code === 'SA'))
  if (old === undefined || now === undefined) throw new Error('no SA')
  t.strictSame(
    now.lists.map(({ date }) => date),
    ['2026-11-01'],
  )
  t.ok(after.meta.rates.includes('8.25'))
  t.notOk(after.meta.rates.includes('7.5'), 'rates that no country has any more are removed')
  const withTexts = ({ taxes, fees, thresholds, sources }: typeof old) =>
    [...taxes, ...fees, ...thresholds].map(row => ({ ...row, source: sources[row.source] }))
  t.strictSame(withTexts(now), withTexts(old))
  const found = await run(['search', 'magnetic', '--country', 'SA', '--snapshot', out])
  t.match(found.stdout, /852321 +8\.25 %/)
  const emirates = await run(['lookup', '852321', '--country', 'AE', '--json', '--snapshot', out])
  t.equal(JSON.parse(emirates.stdout).tariff_rate, 100, 'other countries are unchanged')
})

t.test('a layer with defects, and flags that exclude each other, are refused, and nothing is written', async t => {
  const { directory, base, out } = await stage(t)
  const layer = join(directory, 'layer')
  cpSync(SA, layer, { recursive: true })
  cpSync(join(FIXTURE, 'countries', 'sources.csv'), join(layer, 'sources.csv'))
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run(['build', ...args, '--out', out])
    t.equal(code, 2, stderr)
    return stderr
  }
  t.match(await refused('--base', base), /--base needs --layer: a country and its folder, such as SA=DIR/)
  t.match(await refused('--layer', `SA=${layer}`), /--layer needs --base/)
  t.match(await refused('--base', base, '--layer', `SA=${layer}`, '--dataset', FIXTURE), /exclude each other/)
  for (const text of ['XX=dir', 'SA', 'SA='])
    t.match(
      await refused('--base', base, '--layer', text),
      /must be a country and its folder, such as SA=DIR; countries are AE, SA/,
    )
  t.match(await refused('--base', base, '--layer', `SA=${layer}`, '--layer', `sa=${layer}`), /--layer names SA twice/)
  t.match(
    await refused('--base', base, '--layer', `SA=${join(directory, 'nowhere')}`),
    /no country layer can be read here: ENOENT/,
  )
  t.match(await refused('--base', join(FIXTURE, 'manifest.json'), '--layer', `SA=${layer}`), /this is not an hsapi snapshot/)
  const rates = join(layer, 'rates.csv')
  writeFileSync(rates, `${readFileSync(rates, 'utf8')}2026-02-25,77,5,allowed,2026-02-25,sa-2026,published\n`)
  writeFileSync(join(layer, 'rate.csv'), '')
  const defects = await refused('--base', base, '--layer', `SA=${layer}`)
  t.match(defects, /rates\.csv:13: no code begins with 77/)
  t.match(defects, /rate\.csv:1: unknown file; known are country\.json, rates\.csv/)
  t.match(defects, /2 defects; no snapshot was written/)
  t.throws(() => readFileSync(out), 'no snapshot was written')
})

t.test('a command refuses a country as the API does', async t => {
  const { whole } = await stage(t)
  const refused = async (...args: string[]) => (await run(['lookup', '8523', '--snapshot', whole, ...args])).stderr
  t.match(await refused('--country', 'XX'), /--country must be AE, SA or KW/)
  t.match(await refused('--as-of', '2026-01-01'), /--as-of needs/)
  t.match(await refused('--country', 'SA', '--as-of', '1990-01-01'), /--as-of must be 2025-11-03 or later/)
})
