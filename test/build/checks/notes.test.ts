import t from 'tap'
import { checkExcludedKeywords } from '../../../build/checks/excluded-keywords.js'
import type { Defect } from '../../../build/dataset/defect.js'
import { checkNotes, parseNotes } from '../../../build/dataset/notes.js'
import { checkPointers, parsePointers } from '../../../build/dataset/pointers.js'
import type { Row } from '../../../build/dataset/rows.js'
import type { SectionRow } from '../../../build/dataset/sections.js'

const row = (hs_code: string, keywords_en = '', keywords_ar = '') =>
  ({ hs_code, keywords_en, keywords_ar, file: `chapters/${hs_code.slice(0, 2)}.csv`, line: 1 }) as Row
const rows = ['01', '0101', '85', '8517', '851713'].map(code => row(code))
const sections = [{ section: 'XVI', chapters: ['85'] }] as SectionRow[]
const messagesOf = (defects: Defect[]) => defects.map(({ line, message }) => `${line}: ${message}`)

const NOTES_HEADER = 'scope,kind,number,text_en,text_ar,goes_to,certainty'
const readNotes = (...lines: string[]) => {
  const defects: Defect[] = []
  const notes = parseNotes([NOTES_HEADER, ...lines, ''].join('\n'), defects)
  return messagesOf([...defects, ...checkNotes(notes, rows, sections)])
}

t.test('a note has a known kind and certainty, both languages, a number and existing scopes and targets', async t => {
  t.strictSame(
    readNotes(
      '85,excludes,"Chapter 85, note 1",Horses.,خيول.,0101,published',
      'S16;8517,rule,"Section XVI, note 1",A rule.,قاعدة.,,general',
      'rules,rule,General rule 1,A rule.,قاعدة.,,uncertain',
    ),
    [],
  )
  t.strictSame(
    readNotes(
      '85,forbids,"Chapter 85, note 1",Horses.,خيول.,0101,sure',
      '85,rule,,A rule.,a rule,,published',
      ',rule,n,,قاعدة.,,published',
      '8518;S15,rule,n,A rule.,قاعدة.,0102,published',
      '85,excludes,n,Phones.,هواتف.,8517,published',
      '85;85,rule,n,Twice.,مرتان.,,published',
    ),
    [
      '2: the kind is "forbids", not one of excludes, defines, includes, prefers, rule',
      '2: the certainty is "sure", not one of published, general, uncertain',
      '3: the Arabic text has no Arabic letter',
      '3: the number is missing',
      '4: the English text is missing',
      '4: the scope is missing',
      '5: the scope 8518 is neither a code of the dataset nor a section',
      '5: the scope S15 is neither a code of the dataset nor a section',
      '5: goods go to 0102, which is not a code of the dataset',
      '6: goods are excluded and sent to 8517, which is in the same scope',
      '7: a code occurs twice in 85;85',
    ],
  )
})

t.test('an exclusion must name its target or the deciding fact, and a note must be listed only once', async t => {
  t.strictSame(
    readNotes(
      '85,excludes,n,Horses; they go by their kind.,خيول.,,published',
      '85,excludes,n,Horses.,خيول.,,published',
      '85,excludes,n,Horses.,خيول.,0101,published',
    ),
    [
      '3: the note excludes goods, but names neither the code they belong to nor the fact that decides it',
      '4: the note is already at line 3',
    ],
  )
})

t.test('a pointer must lead from one existing code to another, must be unique, and must not form a circle', async t => {
  const defects: Defect[] = []
  const pointers = parsePointers(
    [
      'from,what_en,what_ar,to',
      '8517,toy phones,هواتف لعب,0101',
      '8517,Toy Phones,هواتف,851713',
      '0101,toy phones,هواتف لعب,8517',
      '85,horses,خيول,85',
      '8518,horses; ponies,خيول,0102',
      '01,,horses,8517',
      '',
    ].join('\n'),
    defects,
  )
  t.strictSame(messagesOf([...defects, ...checkPointers(pointers, rows)]), [
    '3: a pointer from 8517 for "Toy Phones" is already at line 2',
    '5: 85 points to itself',
    '6: there are several names, separated by a semicolon; give each its own row',
    '7: the English name is missing',
    '7: the Arabic name has no Arabic letter',
    '2: pointers for "toy phones" form a circle from 8517',
    '4: pointers for "toy phones" form a circle from 0101',
    '6: 8518 is not a code of the dataset',
    '6: 0102 is not a code of the dataset',
  ])
})

t.test('a keyword must not name goods that a note or a pointer sends to another code', async t => {
  const defects: Defect[] = []
  const notes = parseNotes(`${NOTES_HEADER}\n85,excludes,Note 1,Toy phones; see there.,هواتف لعب,0101,published\n`, defects)
  const pointers = parsePointers('from,what_en,what_ar,to\n8517,horse phones,هواتف خيول,851713\n', defects)
  const found = checkExcludedKeywords({
    rows: [row('0101', 'toy phones'), row('8517', 'Toy phones;toy phones of wood', 'هواتف خيول'), row('851713', 'horse phones')],
    notes,
    pointers,
  })
  t.strictSame(messagesOf(found), [
    '1: the keyword "Toy phones" of 8517: Note 1 excludes it',
    '1: the keyword "هواتف خيول" of 8517: a pointer sends it to 851713',
  ])
})

t.test('a pointer or a title must not lead to a code from which a note or another pointer sends its goods elsewhere', async t => {
  const defects: Defect[] = []
  const notes = parseNotes(`${NOTES_HEADER}\n85,excludes,Note 1,Toy phones.,هواتف لعب.,0101,published\n`, defects)
  const pointers = parsePointers(
    'from,what_en,what_ar,to\n01,toy phones,هواتف للعب,8517\n8517,horse phones,هواتف خيول,0101\n',
    defects,
  )
  const titles = ['Toy Phones', 'Toy phones, red', 'Horse phones'].map((title, i) => ({
    hs_code: '851713',
    title,
    file: 'titles/85.csv',
    line: i + 2,
  }))
  t.strictSame(messagesOf(checkExcludedKeywords({ rows, notes, pointers, titles })), [
    '2: the pointer "toy phones" of 8517: Note 1 excludes it',
    '2: the title "Toy Phones" of 851713: Note 1 excludes it',
    '4: the title "Horse phones" of 851713: a pointer sends it to 0101',
  ])
})
