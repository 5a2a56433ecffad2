import t from 'tap'
import {
  buildControls,
  checkControls,
  parseControlReasons,
  parseControlSources,
  parseControls,
} from '../../../build/dataset/controls.js'
import type { Defect } from '../../../build/dataset/defect.js'
import { checkGlossary, parseGlossary } from '../../../build/dataset/glossary.js'
import { buildMaterials, checkMaterials, parseMaterials } from '../../../build/dataset/materials.js'
import { checkRateSources, parseRateSources, RateSourceFinder } from '../../../build/dataset/rate-sources.js'
import { checkSections, parseSections } from '../../../build/dataset/sections.js'
import { parseTable } from '../../../build/dataset/table.js'
import { buildUnits, checkUnits, parseUnitNames, parseUnits } from '../../../build/dataset/units.js'
import { parseQueryWords, parseWordForms } from '../../../build/dataset/word-forms.js'
import { row } from '../../support/rows.js'
import { STEMMER } from '../../support/words.js'

const SOURCES = 'prefix,source,certainty,date'
const SECTIONS = 'section,chapters,title_en,title_ar'
const GLOSSARY = 'en,ar,instead_of,chapters'
const MATERIALS = 'hs_code,terms'
const FORMS = 'kind,word,stem'
const QUERY_WORDS = 'kind,word'

/** Returns the rows and the messages of the defects that a parser finds in the lines. */
function read<Parsed>(parse: (text: string, defects: Defect[]) => Parsed, ...lines: string[]) {
  const defects: Defect[] = []
  const parsed = parse(lines.join('\n'), defects)
  return { parsed, messages: defects.map(({ line, message }) => `${line}: ${message}`) }
}

const readMaterials = (text: string, defects: Defect[]) => parseMaterials(text, defects, STEMMER)

t.test('a wrong header, a row with a wrong number of fields, and invalid CSV are reported', async t => {
  const table = (text: string, defects: Defect[]) => parseTable(text, 'x.csv', ['a', 'b'] as const, defects)
  t.strictSame(read(table, 'a,b', '1,2').parsed, [{ a: '1', b: '2', line: 2 }])
  t.match(read(table, 'a,c', '1,2').messages, [/^1: the header must be a,b$/])
  t.match(read(table, 'a,b', '1,2,3').messages, [/^2: the row has 3 fields, the header 2$/])
  t.match(read(table, 'a,b', '"1,2').messages, [/: this is not valid CSV/])
})

t.test('the rate source of a code is that of its longest listed prefix', async t => {
  const { parsed, messages } = read(
    parseRateSources,
    SOURCES,
    ',all,general,2026-01-01',
    '85,chapter,published,2026-01-01',
    '851713,phones,uncertain,2026-01-01',
  )
  t.strictSame(messages, [])
  const finder = new RateSourceFinder(parsed)
  t.strictSame(
    ['01', '8517', '85171300'].map(code => finder.find(code)?.source),
    ['all', 'chapter', 'phones'],
  )
})

t.test('malformed rate sources are reported', async t => {
  const { messages } = read(
    parseRateSources,
    SOURCES,
    '8x,s,general,2026-01-01',
    '85,,general,2026-01-01',
    '84,s,sure,2026-01-01',
    '83,s,general,15.11.2026',
    '83,s,general,2026-13-01',
  )
  t.match(messages, [
    /^2: the prefix "8x" has characters other than digits/,
    /^3: the source is missing/,
    /^4: the certainty is "sure", not one of published, general, uncertain/,
    /^5: the date "15.11.2026"/,
    /^6: the prefix "83" is already at line 5/,
    /^6: the date "2026-13-01"/,
  ])
})

t.test('every rate must have a source, and every prefix a code', async t => {
  const { parsed } = read(parseRateSources, SOURCES, '85,s,general,2026-01-01', '8799,s,general,2026-01-01')
  t.strictSame(checkRateSources(parsed, [row('85'), row('8517'), row('87')]), [
    { file: 'rate-sources.csv', line: 3, message: 'no code begins with 8799' },
    { file: 'chapters/87.csv', line: 2, message: 'rate-sources.csv has no source for the rate of 87' },
  ])
})

t.test('malformed sections, and chapters in two sections, are reported', async t => {
  const { parsed, messages } = read(parseSections, SECTIONS, 'I,01-03,Animals,حيوانات', 'II,15,Fats,شحوم')
  t.strictSame(messages, [])
  t.strictSame(
    parsed.map(({ section, chapters }) => [section, ...chapters]),
    [
      ['I', '01', '02', '03'],
      ['II', '15'],
    ],
  )
  t.match(read(parseSections, SECTIONS, '1,01-03,Animals,حيوانات', 'II,x,,Fats', 'II,03,Fats,شحوم').messages, [
    /^2: the section "1" is not a Roman number/,
    /^3: the English title is missing/,
    /^3: the Arabic title has no Arabic letter/,
    /^3: the chapters "x" are not written as/,
    /^4: section II is listed twice/,
    /^4: chapter 03 is already in section 1/,
  ])
})

t.test('every chapter except 77, 98 and 99 must be in a section', async t => {
  const { parsed } = read(parseSections, SECTIONS, 'I,01-03,Animals,حيوانات')
  const rows = ['01', '0101', '04', '77', '98', '99'].map(code => row(code))
  t.match(checkSections(parsed, rows), [{ message: /^chapter 04 is in no section$/ }])
})

t.test('a word that the glossary replaces is reported in the listed chapters, also with an article or a particle', async t => {
  const { parsed, messages } = read(parseGlossary, GLOSSARY, 'pumps,مضخات,طلمبة;طلمبات,84-85', 'yarn,خيوط,,50-63')
  t.strictSame(messages, [])
  const defectsOf = (code: string, description_ar: string) => checkGlossary(parsed, [row(code, { description_ar })])
  t.match(defectsOf('8413', 'أجزاء طلمبات'), [{ message: /^description_ar has "طلمبات"; for "pumps" we write "مضخات"$/ }])
  for (const text of ['الطلمبات', 'محركات وطلمبات', 'للطلمبات', 'بالطلمبات']) t.equal(defectsOf('8413', text).length, 1, text)
  t.strictSame(defectsOf('8413', 'مضخات'), [])
  t.strictSame(defectsOf('8413', 'مطلمبات'), [], 'a word that only contains the replaced word is accepted')
  t.strictSame(defectsOf('9026', 'طلمبات'), [], 'the word is accepted in other chapters')
})

t.test('malformed entries of the glossary are reported', async t => {
  t.match(read(parseGlossary, GLOSSARY, 'pumps,,طلمبات,84-85', 'pumps,مضخات,طلمبات,84').messages, [
    /^2: an entry must have its word in both languages/,
    /^3: the chapters "84" are not written as 25-98/,
  ])
})

t.test('a material must be one word, be listed once, and have a code that exists', async t => {
  const { parsed, messages } = read(readMaterials, MATERIALS, '3926,plastics; plastic; pvc', '4421,wood; خشب')
  t.strictSame(messages, [])
  t.strictSame(parsed[0]?.terms, ['plastic', 'pvc'], 'two forms of a word are one term')
  t.match(checkMaterials(parsed, [row('3926')]), [{ line: 3, message: /^the code 4421 is not in the dataset$/ }])
  t.match(read(readMaterials, MATERIALS, '3926,carbon fibre; ;pvc', '3924,PVC').messages, [
    /^2: "carbon fibre" has several words/,
    /^2: a name has no letters/,
    /^3: "pvc" is already in line 2/,
  ])
})

t.test('a material whose word is not in the index, or whose code does not exist, is left out', async t => {
  const { parsed } = read(readMaterials, MATERIALS, '3926,pvc; plastic', '4421,wood')
  const termIds = new Map([
    ['apple', 0],
    ['pvc', 1],
    ['wood', 2],
  ])
  const termIdOf = (term: string) => termIds.get(term)
  const { materialTerm, materialRecord } = buildMaterials(parsed, termIdOf, new Map([['3926', 7]]))
  t.strictSame([...materialTerm], [1])
  t.strictSame([...materialRecord], [7])
})

t.test('word forms are folded and grouped by kind', async t => {
  const { parsed, messages } = read(
    parseWordForms,
    FORMS,
    'spelling,Tyre,tire',
    'plural,mice,mouse',
    'plural,أجهزة,جهاز',
    'whole,شاشة,شاشة',
  )
  t.strictSame(messages, [])
  t.strictSame(parsed.spellings, [['tyre', 'tire']])
  t.strictSame(parsed.plurals, [
    ['mice', 'mouse'],
    ['اجهزه', 'جهاز'],
  ])
  t.strictSame(parsed.whole, ['شاشه'])
})

t.test('word forms that are empty, contradictory or repeated are reported', async t => {
  const messagesOf = (...lines: string[]) => read(parseWordForms, FORMS, ...lines).messages
  t.match(messagesOf('dual,mice,mouse'), [/^2: kind must be one of spelling, plural, whole$/])
  t.match(messagesOf('plural,field mice,mouse'), [/^2: "field mice" must be one word$/])
  t.match(messagesOf('plural,mice,'), [/^2: "" must be one word$/])
  t.match(messagesOf('plural,mice,mouse', 'plural,Mice,mouse'), [/^3: "mice" is already in line 2$/])
  t.match(messagesOf('whole,شاشة,شاش'), [/^2: a word that is not stemmed must be its own stem/])
})

t.test('query words are folded and grouped by kind, and their defects are reported', async t => {
  const { parsed, messages } = read(parseQueryWords, QUERY_WORDS, 'linking,Of', 'half_asking,china', 'unit,حبة')
  t.strictSame(messages, [])
  t.match(parsed, { linking: ['of'], asking: [], halfAsking: ['china'], from: [], units: ['حبه'] })
  t.match(read(parseQueryWords, QUERY_WORDS, 'asks,how', 'from,a b', 'unit,kg', 'unit,KG').messages, [
    /^2: kind must be one of linking, asking, half_asking, from, unit$/,
    /^3: "a b" must be one word$/,
    /^5: "kg" is already in line 4$/,
  ])
})

t.test('malformed units, units without a name in both languages, and unused names are reported', async t => {
  const { parsed: units, messages } = read(
    parseUnits,
    'hs_code,unit,certainty',
    '851713,u,published',
    '851713,kg,published',
    '851718,u,sure',
    '8517,l,assumed',
  )
  t.match(messages, [/^3: 851713 already has a unit at line 2$/, /^4: the certainty is "sure", not one of published, assumed$/])
  const { parsed: names, messages: nameMessages } = read(
    parseUnitNames,
    'unit,en,ar,unece',
    'u,,items,H87',
    'kg,kilogram,كيلوجرام,',
    'm,metre,متر,metre',
    'm,m,م,MTR',
  )
  t.strictSame(nameMessages, [
    '2: the English name is missing',
    '2: the Arabic name has no Arabic letter',
    '4: the code "metre" is not one of UN/ECE Recommendation 20',
    '5: the unit m is named twice',
  ])
  const defects = checkUnits(units, names.slice(0, 3), [row('8517'), row('851713'), row('851718')])
  t.strictSame(
    defects.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    [
      'units.csv:5: 8517 is not a subheading of the dataset',
      'units.csv:5: the unit "l" has no name in unit-names.csv',
      'unit-names.csv:4: no code has the unit "m"',
    ],
  )
  t.strictSame(buildUnits([], [], []), { units: [], unit: new Uint8Array() })
})

const CONTROLS = 'scope,prefix,kind,authority,reason,source,date,certainty'

t.test('malformed controls, and reasons that lack a language, are reported', async t => {
  const { messages } = read(
    parseControls,
    CONTROLS,
    'EU,85,permit,,r,s,2026-01-01,published',
    'GCC,85,ban,,r,s,2026-01-01,published',
    'GCC,85,permit,,r,s,yesterday,published',
    'GCC,85,permit,,r,s,2026-01-01,sure',
  )
  t.strictSame(messages, [
    '2: the scope is "EU", not one of GCC, AE, BH, KW, OM, QA, SA',
    '3: the kind is "ban", not one of prohibited, restricted, permit, conformity',
    '4: the date "yesterday" is not a date such as 2026-11-15',
    '5: the certainty is "sure", not one of published, reported, uncertain',
    '5: the control is already at line 4',
  ])
  t.strictSame(read(parseControlReasons, 'reason,en,ar', 'r,,reason').messages, [
    '2: the English reason is missing',
    '2: the Arabic reason has no Arabic letter',
  ])
  t.strictSame(read(parseControlSources, 'source,text', 's, ').messages, ['2: the text is missing'])
})

t.test('a control must name an existing or padded code, and every reason and source must exist and be used', async t => {
  const { parsed: controls } = read(
    parseControls,
    CONTROLS,
    'GCC,85,permit,,r,s,2026-01-01,published',
    'GCC,85171300,permit,,r,s,2026-01-01,published',
    'GCC,85170000,permit,,r,none,2026-01-01,published',
  )
  const { parsed: reasons } = read(parseControlReasons, 'reason,en,ar', 'r,Why,سبب', 'q,Why,سبب', 'r,Why,سبب')
  const { parsed: sources } = read(parseControlSources, 'source,text', 's,A list', 'z,A list')
  const rows = [row('85'), row('8517'), row('851713')]
  const manifest = { edition: 'T', vat_rate: 5, line_digits: [8, 12] }
  const defects = checkControls({ controls, reasons, sources }, rows, manifest)
  t.strictSame(
    defects.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    [
      'controls.csv:4: 85170000 is not a code of the dataset',
      'control-reasons.csv:3: no control has the reason q',
      'control-reasons.csv:4: the reason r is listed twice',
      'control-sources.csv:3: no control has the source z',
      'controls.csv:4: the source "none" is not in control-sources.csv',
    ],
  )
})

t.test('a control that several codes share is stored once', async t => {
  const { parsed: controls } = read(
    parseControls,
    CONTROLS,
    'GCC,8523,permit,,r,s,2026-01-01,published',
    'GCC,8517,permit,,r,s,2026-01-01,published',
    'GCC,8517,permit,M,r,s,2026-01-01,published',
  )
  const reasons = [{ reason: 'r', en: 'Why', ar: 'سبب', line: 2 }]
  const sources = [{ source: 's', text: 'A list', line: 2 }]
  const built = buildControls(
    { controls, reasons, sources },
    new Map([
      ['8517', 3],
      ['8523', 7],
    ]),
  )
  t.equal(built.controls.length, 2)
  t.strictSame([...built.columns.controlRecord], [3, 7])
  t.strictSame([...built.columns.controlAt], [0, 2, 3])
  t.strictSame([...built.columns.control], [0, 1, 0])
})
