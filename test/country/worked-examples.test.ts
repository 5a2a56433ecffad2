/** Real requests to the shipped dataset, compared with figures derived by hand. */
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import type { Answer } from '../support/contract.js'
import { makeKey, shippedSnapshot, startService } from '../support/service.js'
import { ALWAYS_LEFT_OUT } from './worked/says.js'
import { WORKED_EXAMPLES, type WorkedExample } from './worked-examples.js'

const TODAY = '2026-11-17'
const GOODS = ['851713', '22021023', '240220', '020714', '870323', '401110', '300490', '710812', '610910', '721420']

/** The numbers of `calculation` as written in the answer. */
function written(text: string): Record<string, string> {
  const calculation = /"calculation":\{([^}]*)\}/.exec(text)?.[1] ?? ''
  return Object.fromEntries([...calculation.matchAll(/"(\w+)":([\d.]+)/g)].map(([, name, value]) => [name, value]))
}

interface ChargeAnswer {
  kind: string
  certainty: string | null
}

function compare(t: Test, example: WorkedExample, { status, text, body }: Answer): void {
  t.equal(status, 200, text)
  const { duty, excise, fee, vat, threshold } = example
  t.match(written(text), {
    declared_value: example.value,
    import_duty_rate: duty[0],
    import_duty_amount: duty[1],
    excise_amount: excise?.[0] ?? '0',
    fees_amount: fee?.[0] ?? '0',
    vat_rate: vat[0],
    vat_amount: vat[1],
    total_duties_taxes: example.total,
    landed_cost: example.landed,
  })
  const { list, charges, threshold: answered, warnings, not_included } = body.data
  t.equal(list, example.list, 'list')
  const certainties = (charges as ChargeAnswer[]).map(({ kind, certainty }) => [kind, certainty])
  const expected = { duty: duty[2], excise: excise?.[1], fee: fee?.[1], vat: vat[2] }
  t.strictSame(
    certainties,
    Object.entries(expected).filter(([, certainty]) => certainty !== undefined),
    'certainty',
  )
  const told = answered && [String(answered.below), answered.vat, answered.certainty]
  t.strictSame(told, threshold ?? null, 'threshold')
  const sentences = [...warnings, ...not_included].map(({ en }: { en: string }) => en).join('\n')
  for (const part of [...ALWAYS_LEFT_OUT, ...(example.mentions ?? [])])
    t.ok(sentences.includes(part), `the notes contain: ${part}`, { sentences })
  for (const part of example.doesNotMention ?? [])
    t.notOk(sentences.includes(part), `the notes do not contain: ${part}`, { sentences })
}

t.test('every figure of an example is part of its derivation', async t => {
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES))
    for (const example of examples) {
      const { value, duty, excise, fee, vat, total, landed, derivation } = example
      const text = derivation.join(' ')
      for (const figure of [value, duty[1], excise?.[0], fee?.[0], vat[1], total, landed])
        t.ok(figure === undefined || figure === '0' || text.includes(figure), `${country}, ${example.goods}: ${figure}`)
    }
})

t.test('every country has an example for each kind of goods', async t => {
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES)) {
    const codes = examples.map(({ query }) => query.hs_code as string)
    for (const goods of GOODS)
      t.ok(
        codes.some(code => code.startsWith(goods)),
        `${country}: ${goods}`,
      )
  }
})

t.test('estimates equal the derivations from the sources', async t => {
  const key = makeKey('pro', { per_minute: 1000 })
  const { get } = await startService(t, [key], new Catalog(await shippedSnapshot()))
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES))
    for (const example of examples)
      await t.test(`${country}: ${example.goods}`, async t => {
        const query = new URLSearchParams({ ...example.query, country, as_of: example.asOf ?? TODAY })
        compare(t, example, await get(`/api/v1/tariff/calculate?${query}`, { 'x-api-key': key.key }))
      })
})
