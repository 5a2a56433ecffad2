/** Compares estimates for the shipped dataset with figures that were derived by hand. */
import t, { type Test } from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import type { Answer } from '../support/contract.js'
import { makeKey, shippedSnapshot, startService } from '../support/service.js'
import { ALWAYS_LEFT_OUT } from './worked/fragments.js'
import { WORKED_EXAMPLES, type WorkedExample } from './worked-examples.js'

const TODAY = '2026-11-17'
const GOODS = ['851713', '22021023', '240220', '020714', '870323', '401110', '300490', '710812', '610910', '721420']

/** Returns the numbers of `calculation` as text, exactly as in the answer. */
function calculationTexts(text: string): Record<string, string> {
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
  t.match(calculationTexts(text), {
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
  t.equal(list, example.list, 'the estimate uses the list of the example')
  const certainties = (charges as ChargeAnswer[]).map(({ kind, certainty }) => [kind, certainty])
  const expected = { duty: duty[2], excise: excise?.[1], fee: fee?.[1], vat: vat[2] }
  t.strictSame(
    certainties,
    Object.entries(expected).filter(([, certainty]) => certainty !== undefined),
    'the charges have the certainties of the example',
  )
  const thresholdParts = answered && [String(answered.below), answered.vat, answered.certainty]
  t.strictSame(thresholdParts, threshold ?? null, 'the threshold is that of the example')
  const sentences = [...warnings, ...not_included].map(({ en }: { en: string }) => en).join('\n')
  for (const part of [...ALWAYS_LEFT_OUT, ...(example.mentions ?? [])])
    t.ok(sentences.includes(part), `warnings or not_included contain: ${part}`, { sentences })
  for (const part of example.doesNotMention ?? [])
    t.notOk(sentences.includes(part), `neither warnings nor not_included contain: ${part}`, { sentences })
}

t.test('every figure of an example occurs in its derivation', async t => {
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES))
    for (const example of examples) {
      const { value, duty, excise, fee, vat, total, landed, derivation } = example
      const text = derivation.join(' ')
      for (const figure of [value, duty[1], excise?.[0], fee?.[0], vat[1], total, landed])
        t.ok(
          figure === undefined || figure === '0' || text.includes(figure),
          `${country}, ${example.goods}: ${figure} is derived`,
        )
    }
})

t.test('every country has an example for each kind of goods', async t => {
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES)) {
    const codes = examples.map(({ query }) => query.hs_code as string)
    for (const goods of GOODS)
      t.ok(
        codes.some(code => code.startsWith(goods)),
        `${country} has an example for ${goods}`,
      )
  }
})

t.test('estimates equal the figures derived by hand', async t => {
  const key = makeKey('pro', { per_minute: 1000 })
  const { get } = await startService(t, [key], new Catalog(await shippedSnapshot()))
  for (const [country, examples] of Object.entries(WORKED_EXAMPLES))
    for (const example of examples)
      await t.test(`${country}: ${example.goods}`, async t => {
        const query = new URLSearchParams({ ...example.query, country, as_of: example.asOf ?? TODAY })
        compare(t, example, await get(`/api/v1/tariff/calculate?${query}`, { 'x-api-key': key.key }))
      })
})
