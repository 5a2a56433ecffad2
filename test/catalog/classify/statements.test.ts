import t from 'tap'
import { type Statement, Values } from '../../../src/catalog/classify/statements.js'

/** Metal includes steel, which includes stainless steel; plastic is separate. */
const METAL = 0
const STEEL = 1
const STAINLESS = 2
const PLASTIC = 3
const values = new Values([-1, METAL, STEEL, -1])

const states = (...has: number[]): Statement => ({ has, excludes: [], isOpen: false })
const excluding = (...excludes: number[]): Statement => ({ has: [], excludes, isOpen: false })
const open = (...has: number[]): Statement => ({ has, excludes: [], isOpen: true })

/**
 * Two statements, and whether they exclude each other in three cases: by themselves; if goods lack values that a code does not
 * state; and if a code above both makes the same statement as the first.
 */
const TABLE: [a: Statement, b: Statement, plain: boolean, ifAbsent: boolean, ifAbove: boolean][] = [
  [states(), states(), false, false, false],
  [states(STEEL), states(STEEL), false, false, false],
  [states(STEEL), states(PLASTIC), true, true, false],
  [states(STEEL), states(METAL), false, false, false],
  [states(METAL), states(STAINLESS), false, false, false],
  [states(STEEL, PLASTIC), states(PLASTIC), false, false, false],
  [states(STEEL), states(), false, true, false],
  [states(STEEL), excluding(STEEL), true, true, true],
  [states(STEEL), excluding(METAL), true, true, true],
  [states(METAL), excluding(STEEL), false, true, false],
  [states(STEEL, PLASTIC), excluding(STEEL), false, true, false],
  [states(STEEL, PLASTIC), excluding(METAL, PLASTIC), true, true, true],
  [excluding(STEEL), excluding(PLASTIC), false, false, false],
  [excluding(STEEL), states(), false, false, false],
  [states(STEEL), open(), true, true, true],
  [open(STEEL), open(), false, true, false],
  [open(STEEL), states(), false, true, false],
  [open(), states(), false, false, false],
  [open(STEEL), states(PLASTIC), true, true, false],
]

t.test('areApart finds whether two statements of an attribute exclude each other, in either order', async t => {
  for (const [a, b, plain, ifAbsent, ifAbove] of TABLE) {
    const row = JSON.stringify([a, b])
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      t.equal(values.areApart(one, other, { isAbsentUnlessStated: false, above: undefined }), plain, row)
      t.equal(values.areApart(one, other, { isAbsentUnlessStated: true, above: undefined }), ifAbsent, `${row}, absent`)
      t.equal(values.areApart(one, other, { isAbsentUnlessStated: false, above: a }), ifAbove, `${row}, above`)
    }
  }
})

t.test('a value counts as listed if the list has a value that includes it', async t => {
  t.ok(values.isIn(STAINLESS, [METAL]))
  t.notOk(values.isIn(METAL, [STAINLESS]))
  t.ok(values.haveCommon([METAL], [STAINLESS, PLASTIC]))
  t.notOk(values.haveCommon([METAL], [PLASTIC]))
  t.strictSame(values.union([[PLASTIC, STAINLESS], [METAL]]), [METAL, PLASTIC])
})
