/**
 * Every warning of an estimate for a country, and everything that the amounts may leave out: code, meaning, and the text in
 * both languages.
 */
import type { AntiDumping, Bilingual, CountryFee, CountryMeta, CountryTax } from './snapshot/country-format.js'

const both = (en: string, ar: string): Bilingual => ({ en, ar })

const UNITS: Readonly<Record<string, Bilingual>> = {
  l: both('litres', 'اللترات'),
  u: both('pieces', 'القطع'),
  g: both('grams', 'الغرامات'),
}
const ONE_UNIT: Readonly<Record<string, Bilingual>> = {
  l: both('litre', 'للتر'),
  u: both('piece', 'للقطعة'),
  g: both('gram', 'للغرام'),
}

// biome-ignore lint/suspicious/noExplicitAny: each text has its own parameters
type Table = Readonly<Record<string, { means: string; text: (...about: any[]) => Bilingual }>>

/** Reasons to doubt an estimate. */
export const WARNINGS = {
  prohibited: {
    means: 'the country prohibits the import of the goods',
    text: ({ name }: CountryMeta) =>
      both(
        `${name.en} prohibits the import of these goods. The amounts use the common tariff's rate.`,
        `استيراد هذه البضاعة ممنوع في ${name.ar}، والمبالغ محسوبة على نسبة التعرفة الموحدة.`,
      ),
  },
  partly_prohibited: {
    means: 'the country prohibits the import of some goods of the code',
    text: ({ name }: CountryMeta) =>
      both(
        `${name.en} prohibits the import of some goods of this code. Check the line that is declared.`,
        `استيراد بعض أصناف هذا البند ممنوع في ${name.ar}، فتحقق من البند الذي يصرح به.`,
      ),
  },
  rate_unknown: {
    means: "the country's rate is not known; the rate of the common tariff is used",
    text: ({ name }: CountryMeta) =>
      both(
        `The import rate of ${withArticle(name.en)} for this code is not known. The amounts use the common tariff's rate.`,
        `نسبة الرسم في ${name.ar} لهذا البند غير معروفة، والمبالغ محسوبة على نسبة التعرفة الموحدة.`,
      ),
  },
  rates_differ: {
    means: 'lines below the code have different rates',
    text: (low: string, high: string) =>
      both(
        `Lines below this code carry ${low} to ${high} percent. Estimate with the line that is declared.`,
        `البنود المتفرعة عن هذا البند تتراوح رسومها بين ${low} و${high} في المئة، فاحسب على البند الذي يصرح به.`,
      ),
  },
  common_rate_used: {
    means: "the country's list is not known in full; the rate of the common tariff is used",
    text: ({ name }: CountryMeta) =>
      both(
        `For ${withArticle(name.en)} only some deviations from the common tariff are known. The common rate is used here.`,
        `لا يعرف عن ${name.ar} إلا بعض ما يخالف التعرفة الموحدة، وقد استعملت هنا نسبتها.`,
      ),
  },
  taxes_differ: {
    means: 'the codes below this one do not all have the same taxes',
    text: () =>
      both(
        'Codes below this one are taxed differently. Estimate with the line that is declared.',
        'البنود المتفرعة عن هذا البند تختلف ضرائبها، فاحسب على البند الذي يصرح به.',
      ),
  },
  excise_on_retail_price: {
    means: 'excise depends on the retail price, which is not known; it may be higher than calculated',
    text: () =>
      both(
        'Excise is charged on the excise price, which follows the retail price. Customs value and duty are used instead, so the amount may be higher.',
        'تحسب الضريبة الانتقائية على السعر الانتقائي المبني على سعر التجزئة، وقد استعملت هنا بدلا منه القيمة الجمركية مع الرسم، فقد يكون المبلغ أعلى.',
      ),
  },
  vat_may_differ: {
    means: 'another VAT rate may apply; the standard rate is used',
    text: ({ rate, goods, condition }: CountryTax) =>
      both(
        `VAT may be ${rate} percent: ${goods.en}${inBrackets(condition.en)}. The standard rate is used here.`,
        `قد تكون ضريبة القيمة المضافة ${rate} في المئة: ${goods.ar}${inBrackets(condition.ar)}. وقد استعملت هنا النسبة الأساسية.`,
      ),
  },
  agreement_uncertain: {
    means: 'it is not certain which rate an agreement grants for the goods',
    text: (name: Bilingual) =>
      both(
        `It is not certain which rate ${name.en} grants these goods. Check the rate before you rely on it.`,
        `ما تمنحه ${name.ar} لهذه البضاعة غير مؤكد في المصادر، فتحقق منه قبل الاعتماد عليه.`,
      ),
  },
  agreement_unknown: {
    means: 'it is not known which rate an agreement grants for the goods; the full rate is used',
    text: (name: Bilingual) =>
      both(
        `It is not known which rate ${name.en} grants these goods. The full rate is used here.`,
        `ما تمنحه ${name.ar} لهذه البضاعة غير معروف، وقد استعملت هنا النسبة الكاملة.`,
      ),
  },
  anti_dumping: {
    means: 'an anti-dumping duty on goods of this code and origin is in force but not included in the amounts',
    text: ({ goods, origin, rate, until }: AntiDumping) =>
      both(
        `Anti-dumping duty on ${lower(goods.en)} from ${origin}: ${rate}${until === '' ? '' : `, until ${until}`}. It is not in the amounts.`,
        `رسم مكافحة إغراق على ${goods.ar} من ${origin}: ${rate}${until === '' ? '' : `، حتى ${until}`}. وليس ضمن المبالغ.`,
      ),
  },
} satisfies Table

/** Charges and reliefs that the amounts leave out. */
export const LEFT_OUT = {
  excise_may_apply: {
    means: 'excise that some goods of the code are subject to',
    text: ({ rate, amount, unit, goods, condition }: CountryTax, currency: string) => {
      const one = ONE_UNIT[unit] ?? ONE_UNIT.u
      const en = rate === '' ? `${currency} ${amount} a ${one.en}` : `${rate} percent`
      const ar = rate === '' ? `${amount} ${currency} ${one.ar}` : `${rate} في المئة`
      return both(
        `Excise that may apply: ${goods.en}, ${en}${inBrackets(condition.en)}.`,
        `ضريبة انتقائية قد تنطبق: ${goods.ar}، ${ar}${inBrackets(condition.ar)}.`,
      )
    },
  },
  excise_needs_sugar: {
    means: 'excise that depends on sugar, which was not sent',
    text: (goods: Bilingual) =>
      both(
        `Excise on ${lower(goods.en)}: send sugar (grams per 100 ml), quantity and unit=l to include it.`,
        `الضريبة الانتقائية على ${goods.ar}: أرسل sugar (غرامات السكر في 100 مل) وquantity وunit=l لتحسب.`,
      ),
  },
  excise_needs_quantity: {
    means: 'excise that depends on a quantity, which was not sent',
    text: (goods: Bilingual, unit: string) => {
      const { en, ar } = UNITS[unit] ?? UNITS.u
      return both(
        `Excise on ${lower(goods.en)}: send quantity in ${en} and unit=${unit} to include it.`,
        `الضريبة الانتقائية على ${goods.ar}: أرسل quantity بعدد ${ar} وunit=${unit} لتحسب.`,
      )
    },
  },
  excise_needs_currency: {
    means: 'excise of a fixed amount, which cannot be converted: the declared currency has no fixed exchange rate',
    text: (goods: Bilingual, currency: string) =>
      both(
        `Excise on ${lower(goods.en)}. It cannot be converted to ${currency}, which has no fixed exchange rate.`,
        `الضريبة الانتقائية على ${goods.ar}: هي مبلغ مقطوع ولا سعر صرف ثابت له من ${currency}.`,
      ),
  },
  fee_may_apply: {
    means: 'a fee that some declarations are subject to',
    text: ({ name, amount, rate, minimum }: CountryFee, currency: string) => {
      const least = minimum === '' ? both('', '') : both(`, at least ${currency} ${minimum}`, `، بحد أدنى ${minimum} ${currency}`)
      return both(
        `Fee that may apply: ${name.en}, ${amount === '' ? `${rate} percent${least.en}` : `${currency} ${amount}`}.`,
        `رسم خدمة قد ينطبق: ${name.ar}، ${amount === '' ? `${rate} في المئة${least.ar}` : `${amount} ${currency}`}.`,
      )
    },
  },
  fee_needs_currency: {
    means: 'a fee whose amounts cannot be converted to the declared currency at a fixed rate',
    text: ({ name }: CountryFee, currency: string) =>
      both(
        `Fee: ${name.en}. Its limits cannot be converted to ${currency}, which has no fixed exchange rate.`,
        `رسم خدمة: ${name.ar}. حدوده مبالغ مقطوعة ولا سعر صرف ثابت لها من ${currency}.`,
      ),
  },
  other_agreement: {
    means: 'a lower rate under an agreement that estimates do not take into account',
    text: (name: Bilingual) =>
      both(`A lower rate under another agreement: ${name.en}.`, `نسبة أقل بموجب اتفاقية أخرى: ${name.ar}.`),
  },
  trade_remedies: {
    means: 'anti-dumping, countervailing and safeguard duties; listed in every estimate',
    text: () => both('Anti-dumping, countervailing and safeguard duties.', 'رسوم مكافحة الإغراق والرسوم التعويضية والوقائية.'),
  },
  exemptions: {
    means: 'exemptions for an importer or a project; listed in every estimate',
    text: () => both('Exemptions granted to an importer or a project.', 'الإعفاءات الممنوحة لمستورد أو مشروع بعينه.'),
  },
} satisfies Table

export interface Warning extends Bilingual {
  code: keyof typeof WARNINGS
}

export interface LeftOut extends Bilingual {
  code: keyof typeof LEFT_OUT
}

type About<Row> = Row extends { text: (...about: infer About) => Bilingual } ? About : never

export function warning<Code extends Warning['code']>(code: Code, ...about: About<(typeof WARNINGS)[Code]>): Warning {
  return { code, ...(WARNINGS as Table)[code].text(...about) }
}

export function leftOut<Code extends LeftOut['code']>(code: Code, ...about: About<(typeof LEFT_OUT)[Code]>): LeftOut {
  return { code, ...(LEFT_OUT as Table)[code].text(...about) }
}

/** Charges and reliefs that every estimate leaves out. */
export const NEVER_INCLUDED: readonly LeftOut[] = [leftOut('trade_remedies'), leftOut('exemptions')]

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)

/** A country's name within a sentence. */
const withArticle = (name: string): string => (name.startsWith('United ') ? `the ${name}` : name)

/** A name of goods within a sentence; abbreviations keep their capitals. */
const lower = (text: string): string => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text)
