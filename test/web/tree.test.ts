/** The tree as data: open nodes, children, and keyboard movement. */
import t from 'tap'
import type { ListedRecord, Section } from '../../src/answers/shapes.js'
import {
  awaited,
  childrenOfBranch,
  filled,
  initialTree,
  type Needed,
  namesTo,
  nearest,
  openBranches,
  opened,
  rowsOf,
  type Tree,
  toggled,
  withCachedChildren,
} from '../../src/web/app/browse/branches.js'
import { jump, type Move, moveFor } from '../../src/web/app/browse/tree-keys.js'
import { Look } from '../../src/web/server/render-parts.js'

const LONGEST = 8
const LOOK = new Look('en', false, '', false, LONGEST)
const words = (en: string) => ({ en, ar: '' })
const listed = (hs_code: string, en: string) => ({ hs_code, description: words(en), tariff_rate: 5 }) as unknown as ListedRecord

const SECTIONS: Section[] = [
  { section: 'I', title: words('Animals'), chapters: [{ hs_code: '01', description: words('Live animals') }] },
  { section: 'II', title: words('Nothing'), chapters: [] },
  {
    section: 'III',
    title: words('Plants'),
    chapters: [
      { hs_code: '06', description: words('Trees') },
      { hs_code: '07', description: words('Vegetables') },
    ],
  },
  { section: null, title: words(''), chapters: [{ hs_code: '98', description: words('Parcels') }] },
]

const BELOW: Readonly<Record<string, ListedRecord[]>> = {
  '01': [listed('0101', 'Horses'), listed('0102', 'Cattle')],
  '0101': [listed('010121', 'Pure-bred'), listed('010129', 'Other')],
  // padded codes repeat the words, down to the line
  '0102': [listed('010200', 'Cattle')],
  '010200': [listed('01020000', 'Cattle')],
}
const pageAt = ({ code, offset }: Needed) => {
  const all = BELOW[code]
  // one item per page
  return all && { items: all.slice(offset, offset + 1), total: all.length }
}

const closed = initialTree(SECTIONS, LONGEST)
const at = (code: string, section = '') => {
  const place = { code, section }
  return withCachedChildren(LOOK, opened(closed, namesTo(closed, place)), pageAt)
}
const shown = (tree: Tree) => rowsOf(tree).map(({ branch }) => branch.name)

t.test('at first there are sections with chapters, then chapters outside all sections', async t => {
  t.strictSame(shown(closed), ['section I', 'section III', '98'])
  t.equal(closed.current, 'section I')
  t.strictSame(awaited(closed), [])
})

t.test('an address opens its section, or every branch down to its code', async t => {
  t.strictSame(shown(at('', 'III')), ['section I', 'section III', '06', '07', '98'])
  const tree = at('0101')
  t.strictSame(shown(tree), ['section I', '01', '0101', '010121', '010129', '0102', 'section III', '98'])
  t.strictSame(
    openBranches(tree).map(({ name }) => name),
    ['section I', '01', '0101'],
  )
  t.equal(nearest(tree, { code: '0101', section: '' })?.name, '0101')
  t.equal(
    nearest(tree, { code: '010199', section: '' })?.name,
    '0101',
    'the code does not exist, so the nearest code above it is returned',
  )
  t.equal(nearest(closed, { code: '', section: 'III' })?.name, 'section III')
  t.equal(nearest(closed, { code: '', section: '' }), undefined)
  t.equal(nearest(at('77'), { code: '77', section: '' }), undefined)
})

t.test("the only code below another is skipped if it repeats the other's words, unless it is a line", async t => {
  t.strictSame(shown(at('0102')), ['section I', '01', '0101', '0102', '01020000', 'section III', '98'])
  const [line] = rowsOf(at('01020000')).filter(({ branch }) => branch.name === '01020000')
  t.ok(line?.branch.isLeaf)
  t.equal(line?.parent?.name, '0102')
  t.strictSame(openBranches(at('01020000')).at(-1)?.name, '0102', 'a line is never open')
})

t.test('for a branch with missing children, the next page is requested; a branch with all children requests none', async t => {
  const [branch] = rowsOf(opened(closed, ['section III'])).filter(({ branch }) => branch.name === '06')
  if (branch === undefined) return t.fail('there is no chapter 06')
  const first = (needed: Needed) => (needed.offset === 0 ? { items: [listed('0601', 'Bulbs')], total: 2 } : undefined)
  t.strictSame(childrenOfBranch(LOOK, branch.branch, first), { code: '06', offset: 1 })
  const tree = withCachedChildren(LOOK, opened(closed, ['section III', '06']), first)
  t.strictSame(
    awaited(tree).map(({ name }) => name),
    ['06'],
  )
  const nothing = filled(tree, '06', [], LONGEST)
  t.strictSame(awaited(nothing), [], 'a code without children is recognised as well')
})

t.test('a closed branch hides the rows below it, which are unchanged when it is opened again', async t => {
  const tree = at('0101')
  const [section] = tree.roots
  if (section === undefined) return t.fail('there is no section')
  const without = toggled(tree, section)
  t.strictSame(shown(without), shown(closed))
  t.strictSame(shown(toggled(without, section)), shown(tree))
})

t.test('keys move, open, close and follow links', async t => {
  const tree = at('0101')
  const from = (current: string, key: string, isRightToLeft = false) => {
    const move: Move | undefined = moveFor({ ...tree, current }, key, isRightToLeft)
    return move && Object.fromEntries(Object.entries(move).map(([name, branch]) => [name, branch?.name]))
  }
  t.strictSame(from('0101', 'ArrowDown'), { to: '010121' })
  t.strictSame(from('0101', 'ArrowUp'), { to: '01' })
  t.strictSame(from('98', 'ArrowDown'), { to: undefined }, 'the last row has none below it')
  t.strictSame(from('section I', 'ArrowUp'), { to: undefined }, 'the first row has none above it')
  t.strictSame(from('0101', 'Home'), { to: 'section I' })
  t.strictSame(from('0101', 'End'), { to: '98' })
  t.strictSame(from('0101', 'ArrowRight'), { to: '010121' })
  t.strictSame(from('0101', 'ArrowLeft', true), { to: '010121' })
  t.strictSame(from('0102', 'ArrowRight'), { toggle: '0102' })
  t.strictSame(from('0101', 'ArrowLeft'), { toggle: '0101' })
  t.strictSame(from('0102', 'ArrowLeft'), { to: '01' })
  t.strictSame(from('0102', 'ArrowRight', true), { to: '01' })
  t.strictSame(from('98', 'ArrowLeft'), { to: undefined }, 'a root has nothing above it')
  t.strictSame(from('section I', 'Enter'), { toggle: 'section I' })
  t.strictSame(from('0101', 'Enter'), { follow: '0101' })
  t.strictSame(from('0101', ' '), { toggle: '0101' })
  t.equal(from('0101', 'x'), undefined)
  const line = { ...at('0102'), current: '01020000' }
  t.strictSame(moveFor(line, 'ArrowRight', false), {})
  t.equal(moveFor(line, ' ', false)?.follow?.name, '01020000')
})

t.test('letters and digits move to the next branch that starts with them, wrapping around', async t => {
  const tree = at('0101')
  const to = (current: string, typed: string) => jump({ ...tree, current }, typed, ({ name }) => name)?.name
  t.equal(to('section I', 's'), 'section III')
  t.equal(to('section III', 'S'), 'section I', 'the search continues at the top, and a capital letter matches too')
  t.equal(to('0101', '01012'), '010121')
  t.equal(to('010121', '01012'), '010121', 'the current branch may match further letters')
  t.equal(to('0101', 'x'), undefined)
})
