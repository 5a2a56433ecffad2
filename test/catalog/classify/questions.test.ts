import t from 'tap'
import { Catalog } from '../../../src/catalog/catalog.js'
import { Attributes } from '../../../src/catalog/classify/attributes.js'
import type { Question } from '../../../src/catalog/classify/classified.js'
import { Questions } from '../../../src/catalog/classify/questions.js'
import { pick, type RandomSource, seededRandom, shuffled } from '../../../src/random.js'
import { shippedSnapshot } from '../../support/service.js'

const snapshot = await shippedSnapshot()
const catalog = new Catalog(snapshot)
const attributes = new Attributes(snapshot.columns, catalog.meta, catalog.records, catalog.stemmer)
const questions = new Questions(snapshot.columns, catalog.meta, catalog.records, attributes, catalog.names)

function between(codes: string, text = ''): Question | undefined {
  const records = codes.split(' ').map(code => catalog.trie.find(code))
  return questions.between(records, text)
}

/** A question as lines: its text, then each answer with its codes. */
function lines(question: Question | undefined, language: 'en' | 'ar'): string[] {
  if (question === undefined) return []
  return [question.text[language], ...question.answers.map(({ text, within }) => `${text[language]}: ${within.join(' ')}`)]
}

const DECIDED: [codes: string, en: string[], ar: string[]][] = [
  ['6109 6211', ['Is it knitted or crocheted?', 'Yes: 6109', 'No: 6211'], ['هل هو تريكو أو كروشيه؟', 'نعم: 6109', 'لا: 6211']],
  [
    '610910 621142',
    ['Is it knitted or crocheted?', 'Yes: 6109', 'No: 6211'],
    ['هل هو تريكو أو كروشيه؟', 'نعم: 6109', 'لا: 6211'],
  ],
  [
    '0303 0302',
    ['In what state is it?', 'Frozen: 0303', 'Fresh or chilled: 0302'],
    ['ما حالته؟', 'مجمد: 0303', 'طازج أو مبرد: 0302'],
  ],
  [
    '6403 6404 6402',
    ['What are the uppers made of?', 'Uppers of leather: 6403', 'Uppers of textile: 6404', 'Uppers of rubber or plastics: 6402'],
    ['ما مادة وجه الحذاء؟', 'وجه من جلد طبيعي: 6403', 'وجه من نسيج: 6404', 'وجه من المطاط أو البلاستيك: 6402'],
  ],
  [
    '870323 870322',
    [
      'Passenger vehicles with a petrol or other spark-ignition engine only: which of these is it?',
      'Over 1,500 up to 3,000 cm3: 870323',
      'Over 1,000 up to 1,500 cm3: 870322',
    ],
    [
      'مركبات ركاب بمحرك بنزين أو غيره من محركات الإشعال بالشرر فقط: أي مما يلي ينطبق؟',
      'تزيد سعته على 1500 ولا تتجاوز 3000 سم3: 870323',
      'تزيد سعته على 1000 ولا تتجاوز 1500 سم3: 870322',
    ],
  ],
  ['610990 610910', ['Is it of cotton?', 'Yes: 610910', 'No: 610990'], ['هل هو من القطن؟', 'نعم: 610910', 'لا: 610990']],
  ['8703 8708', ['Is it a part or accessory?', 'Yes: 8708', 'No: 8703'], ['هل هو جزء أو ملحق؟', 'نعم: 8708', 'لا: 8703']],
  [
    '020711 020713',
    ['Is it whole or in pieces?', 'Whole: 020711', 'In cuts or pieces: 020713'],
    ['هل هو كامل أم مقطع؟', 'كامل: 020711', 'قطع: 020713'],
  ],
  [
    '090111 090121',
    ['Is it roasted?', 'Unroasted: 090111', 'Roasted: 090121'],
    ['هل هو محمص؟', 'غير محمص: 090111', 'محمص: 090121'],
  ],
  [
    '3924 7323 7013',
    ['What is it made of?', 'Of plastics: 3924', 'Of iron or steel: 7323', 'Of glass: 7013'],
    ['ما مادة الصنع؟', 'من البلاستيك: 3924', 'من الحديد أو الفولاذ: 7323', 'من الزجاج: 7013'],
  ],
  [
    '621510 621520 621590',
    ['What is it made of?', 'Of silk: 621510', 'Of man-made fibres: 621520', 'Of another material: 621590'],
    ['ما مادة الصنع؟', 'من الحرير: 621510', 'من الألياف التركيبية أو الاصطناعية: 621520', 'من مادة أخرى: 621590'],
  ],
  [
    '401110 401120',
    ['For which vehicle is it?', 'For motor vehicles: 401110', 'For buses or lorries: 401120'],
    ['لأي مركبة هو؟', 'للسيارات: 401110', 'للحافلات أو الشاحنات: 401120'],
  ],
  [
    '940330 940340',
    ['For which room is it?', 'For an office: 940330', 'For a kitchen: 940340'],
    ['لأي غرفة هو؟', 'للمكاتب: 940330', 'للمطابخ: 940340'],
  ],
  [
    '940161 940171',
    ['What is it made of?', 'Of wood: 940161', 'Of metal: 940171'],
    ['ما مادة الصنع؟', 'من الخشب: 940161', 'من المعدن: 940171'],
  ],
  [
    '870340 870360',
    ['Is it chargeable from a plug?', 'Yes: 870360', 'No: 870340'],
    ['هل هو قابل للشحن من مصدر خارجي؟', 'نعم: 870360', 'لا: 870340'],
  ],
  ['870321 870340', ['Is it hybrid?', 'Yes: 870340', 'No: 870321'], ['هل هو هجين؟', 'نعم: 870340', 'لا: 870321']],
  [
    '870340 870380',
    ['How is it powered?', 'Hybrid: 870340', 'Electric only: 870380'],
    ['ما مصدر حركته؟', 'هجين: 870340', 'كهربائي فقط: 870380'],
  ],
  ['7304 7306', ['Is it seamless?', 'Yes: 7304', 'No: 7306'], ['هل هو بدون لحام؟', 'نعم: 7304', 'لا: 7306']],
  [
    '420221 420222',
    ['What is it made of?', 'Of leather: 420221', 'Of plastics or textile: 420222'],
    ['ما مادة الصنع؟', 'من الجلد: 420221', 'من البلاستيك أو النسيج: 420222'],
  ],
  [
    '481910 392310',
    ['What is it made of?', 'Of paper or paperboard: 4819', 'Of plastics: 3923'],
    ['ما مادة الصنع؟', 'من الورق أو الورق المقوى: 4819', 'من البلاستيك: 3923'],
  ],
  [
    '6110 6111',
    ['Is it for a baby (up to 86 cm tall)?', 'Yes: 6111', 'No: 6110'],
    ['هل هو لرضيع (طوله حتى 86 سم)؟', 'نعم: 6111', 'لا: 6110'],
  ],
  [
    '6103 6104',
    ['For whom is it?', 'For men or boys: 6103', 'For women or girls: 6104'],
    ['لمن هو؟', 'للرجال أو الأولاد: 6103', 'للنساء أو البنات: 6104'],
  ],
  ['100510 100590', ['Is it for sowing?', 'Yes: 100510', 'No: 100590'], ['هل هو للبذر؟', 'نعم: 100510', 'لا: 100590']],
  [
    '010410100001 010410100002',
    ['Is it male or female?', 'Male: 010410100001', 'Female: 010410100002'],
    ['هل هو ذكر أم أنثى؟', 'ذكر: 010410100001', 'أنثى: 010410100002'],
  ],
  [
    '510810 510820',
    ['Is it carded or combed?', 'Carded: 510810', 'Combed: 510820'],
    ['هل هو مسرح أم ممشط؟', 'مسرح: 510810', 'ممشط: 510820'],
  ],
  [
    '20084010 20084090',
    ['Does it contain alcohol?', 'Yes: 20084010', 'No: 20084090'],
    ['هل يحتوي على كحول؟', 'نعم: 20084010', 'لا: 20084090'],
  ],
  [
    '845811 845899',
    ['Is it numerically controlled (CNC)?', 'Yes: 845811', 'No: 845899'],
    ['هل هو بتحكم رقمي (CNC)؟', 'نعم: 845811', 'لا: 845899'],
  ],
  [
    '55081010 55081090',
    ['Is it put up for retail sale?', 'Yes: 55081010', 'No: 55081090'],
    ['هل هو معبأ للبيع بالتجزئة؟', 'نعم: 55081010', 'لا: 55081090'],
  ],
  [
    '581091 581010 581092',
    [
      'Embroidery: which of these is it?',
      'Of cotton with visible ground: 581091',
      'Without visible ground (chemical or guipure embroidery): 581010',
      'Of man-made fibres with visible ground: 581092',
    ],
    [
      'مطرزات: أي مما يلي ينطبق؟',
      'من القطن بأرضية ظاهرة: 581091',
      'بلا أرضية ظاهرة (تطريز كيميائي أو جيبور): 581010',
      'من ألياف تركيبية أو اصطناعية بأرضية ظاهرة: 581092',
    ],
  ],
  [
    '8507 8504',
    [
      'Which of these is it?',
      'Car batteries, accumulators, battery packs: 8507',
      'Transformers, inverters, power supplies: 8504',
    ],
    ['أي مما يلي ينطبق؟', 'بطاريات سيارات، بطاريات تخزين، حاشدات: 8507', 'ترانس، محولات، إنفرتر: 8504'],
  ],
]

t.test('the question names the property by which the codes differ, in both languages', async t => {
  for (const [codes, en, ar] of DECIDED) {
    const question = between(codes)
    t.strictSame(lines(question, 'en'), en, codes)
    t.strictSame(lines(question, 'ar'), ar, codes)
  }
})

t.test('an answer names at most four values; if a code has more, the answers are parts of the descriptions', async t => {
  t.strictSame(lines(between('0203 0207'), 'en'), [
    'Of which animal is it?',
    'Of pigs: 0203',
    'Of chickens, turkeys, ducks or geese: 0207',
  ])
  t.equal(between('0206 0207')?.text.en, 'Which of these is it?')
})

t.test('no question asks for a fact that the text states', async t => {
  for (const text of ['knitted vest', 'crochet top', 'قميص تريكو'])
    t.notMatch(between('6109 6211', text)?.text.en, /knitted/, text)
  for (const text of ['frozen hamour', 'سمك مجمد', 'أسماك طازجة'])
    t.match(between('0303 0302', text)?.text.en, /which of these/i, text)
  t.match(between('0303 0302', 'hamour')?.text.en, /state/)
})

t.test('a question between headings does not name their chapter, which is too broad to help', async t => {
  const question = between('0906 0907')
  t.equal(question?.text.en, 'Which of these is it?')
  t.equal(question?.text.ar, 'أي مما يلي ينطبق؟')
})

t.test('without two distinct codes there is no question', async t => {
  t.equal(questions.between([], ''), undefined)
  t.equal(between('6109'), undefined)
  t.equal(between('6109 6109'), undefined)
  t.equal(between('6109 610910'), undefined, 'one of the codes includes the other')
  t.strictSame(
    lines(between('610910 6211 6109'), 'en'),
    lines(between('6211 6109'), 'en'),
    'a code below another of the codes is left out',
  )
})

const CODES = Array.from(snapshot.columns.level.keys()).filter(record => snapshot.columns.level[record] >= 4)
const PARENTS = CODES.filter(record => snapshot.columns.childCount[record] > 1)

/** Two to five records: siblings, or any codes. */
function randomRecords(next: RandomSource): number[] {
  const count = 2 + Math.floor(next() * 4)
  if (next() < 0.3) return Array.from({ length: count }, () => pick(CODES, next))
  const parent = pick(PARENTS, next)
  const { firstChild, childCount } = snapshot.columns
  const children = Array.from({ length: childCount[parent] }, (_, n) => firstChild[parent] + n)
  return shuffled(children, next).slice(0, count)
}

t.test('each record belongs to exactly one answer, and all answers are different', async t => {
  const next = seededRandom(36)
  for (let n = 0; n < 3000; n++) {
    const records = randomRecords(next)
    const question = questions.between(records, '')
    if (question === undefined) continue
    const codes = records.map(record => catalog.records.code(record))
    const details = JSON.stringify({ codes, question })
    for (const code of codes) {
      const leading = question.answers.filter(({ within }) => within.some(one => code.startsWith(one)))
      if (leading.length !== 1) t.fail(`${code}: ${details}`)
    }
    for (const language of ['en', 'ar'] as const) {
      const texts = question.answers.map(({ text }) => text[language])
      if (new Set(texts).size !== texts.length || texts.includes('') || question.text[language] === '') t.fail(details)
    }
    for (const { within } of question.answers) {
      if (within.length === 0 || within.some(one => catalog.trie.find(one) < 0 || one.length < 4)) t.fail(details)
      if (!within.every(one => codes.some(code => code.startsWith(one)))) t.fail(`an answer is for none of the codes: ${details}`)
    }
  }
})
