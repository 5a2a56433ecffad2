/** The sentences of an estimate for a country, in both languages. */
import type { AntiDumping, Bilingual, CountryFee, CountryMeta, CountryTax } from '../../snapshot/country-format.js'

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

export interface UnitName {
  name: Bilingual
  parameter: string
}

export const exciseUnitName = (unit: string): UnitName => ({
  name: UNITS[unit] ?? UNITS.u,
  parameter: `unit=${unit}`,
})

export const prohibited = ({ name }: CountryMeta): Bilingual =>
  both(
    `${name.en} prohibits the import of these goods. The amounts use the common tariff's rate.`,
    `استيراد هذه البضاعة ممنوع في ${name.ar}، والمبالغ محسوبة على نسبة التعرفة الموحدة.`,
  )

export const partlyProhibited = ({ name }: CountryMeta): Bilingual =>
  both(
    `${name.en} prohibits the import of some goods of this code. Check the line that is declared.`,
    `استيراد بعض أصناف هذا البند ممنوع في ${name.ar}، فتحقق من البند الذي يصرح به.`,
  )

export const rateUnknown = ({ name }: CountryMeta): Bilingual =>
  both(
    `The import rate of ${withArticle(name.en)} for this code is not known. The amounts use the common tariff's rate.`,
    `نسبة الرسم في ${name.ar} لهذا البند غير معروفة، والمبالغ محسوبة على نسبة التعرفة الموحدة.`,
  )

export const ratesDiffer = (low: string, high: string): Bilingual =>
  both(
    `Lines below this code carry ${low} to ${high} percent. Estimate with the line that is declared.`,
    `البنود المتفرعة عن هذا البند تتراوح رسومها بين ${low} و${high} في المئة، فاحسب على البند الذي يصرح به.`,
  )

export const commonRateUsed = ({ name }: CountryMeta): Bilingual =>
  both(
    `For ${withArticle(name.en)} only some deviations from the common tariff are known. The common rate is used here.`,
    `لا يعرف عن ${name.ar} إلا بعض ما يخالف التعرفة الموحدة، وقد استعملت هنا نسبتها.`,
  )

export const taxesDiffer = (): Bilingual =>
  both(
    'Codes below this one are taxed differently. Estimate with the line that is declared.',
    'البنود المتفرعة عن هذا البند تختلف ضرائبها، فاحسب على البند الذي يصرح به.',
  )

export const perhapsVat = ({ rate, goods, condition }: CountryTax): Bilingual =>
  both(
    `VAT may be ${rate} percent: ${goods.en}${inBrackets(condition.en)}. The standard rate is used here.`,
    `قد تكون ضريبة القيمة المضافة ${rate} في المئة: ${goods.ar}${inBrackets(condition.ar)}. وقد استعملت هنا النسبة الأساسية.`,
  )

export const perhapsExcise = ({ rate, amount, unit, goods, condition }: CountryTax, currency: string): Bilingual => {
  const one = ONE_UNIT[unit] ?? ONE_UNIT.u
  const en = rate === '' ? `${currency} ${amount} a ${one.en}` : `${rate} percent`
  const ar = rate === '' ? `${amount} ${currency} ${one.ar}` : `${rate} في المئة`
  return both(
    `Excise that may apply: ${goods.en}, ${en}${inBrackets(condition.en)}.`,
    `ضريبة انتقائية قد تنطبق: ${goods.ar}، ${ar}${inBrackets(condition.ar)}.`,
  )
}

export const exciseOnRetailPrice = (): Bilingual =>
  both(
    'Excise is charged on the excise price, which follows the retail price. Customs value and duty stand in for it here, so the amount may be higher.',
    'تحسب الضريبة الانتقائية على السعر الانتقائي المبني على سعر التجزئة، وقد حل محله هنا القيمة الجمركية مع الرسم، فقد يكون المبلغ أعلى.',
  )

export const exciseNeedsSugar = (goods: Bilingual): Bilingual =>
  both(
    `Excise on ${lower(goods.en)}: send sugar (grams in 100 ml), quantity and unit=l to include it.`,
    `الضريبة الانتقائية على ${goods.ar}: أرسل sugar (غرامات السكر في 100 مل) وquantity وunit=l لتحسب.`,
  )

export const exciseNeedsQuantity = (goods: Bilingual, { name, parameter }: UnitName): Bilingual =>
  both(
    `Excise on ${lower(goods.en)}: send quantity in ${name.en} and ${parameter} to include it.`,
    `الضريبة الانتقائية على ${goods.ar}: أرسل quantity بعدد ${name.ar} و${parameter} لتحسب.`,
  )

export const exciseNeedsCurrency = (goods: Bilingual, currency: string): Bilingual =>
  both(
    `Excise on ${lower(goods.en)}: it is an amount of money, and there is no fixed rate from ${currency}.`,
    `الضريبة الانتقائية على ${goods.ar}: هي مبلغ مقطوع ولا سعر صرف ثابت له من ${currency}.`,
  )

export const feePerhaps = ({ name, amount, rate, minimum }: CountryFee, currency: string): Bilingual => {
  const least = minimum === '' ? both('', '') : both(`, at least ${currency} ${minimum}`, `، بحد أدنى ${minimum} ${currency}`)
  return both(
    `Fee that may apply: ${name.en}, ${amount === '' ? `${rate} percent${least.en}` : `${currency} ${amount}`}.`,
    `رسم خدمة قد ينطبق: ${name.ar}، ${amount === '' ? `${rate} في المئة${least.ar}` : `${amount} ${currency}`}.`,
  )
}

export const feeNeedsCurrency = ({ name }: CountryFee, currency: string): Bilingual =>
  both(
    `Fee: ${name.en}. Its limits are amounts of money, and there is no fixed rate from ${currency}.`,
    `رسم خدمة: ${name.ar}. حدوده مبالغ مقطوعة ولا سعر صرف ثابت لها من ${currency}.`,
  )

export const agreementNotCalculated = (name: Bilingual): Bilingual =>
  both(`A lower rate under another agreement: ${name.en}.`, `نسبة أقل بموجب اتفاقية أخرى: ${name.ar}.`)

export const originUncertain = (name: Bilingual): Bilingual =>
  both(
    `What ${name.en} grants these goods is not certain in the evidence. Check it before relying on it.`,
    `ما تمنحه ${name.ar} لهذه البضاعة غير مؤكد في المصادر، فتحقق منه قبل الاعتماد عليه.`,
  )

export const originUnclear = (name: Bilingual): Bilingual =>
  both(
    `What ${name.en} grants these goods is not known. The full rate is used here.`,
    `ما تمنحه ${name.ar} لهذه البضاعة غير معروف، وقد استعملت هنا النسبة الكاملة.`,
  )

export const antiDumpingInForce = ({ goods, origin, rate, until }: AntiDumping): Bilingual =>
  both(
    `Anti-dumping duty on ${lower(goods.en)} from ${origin}: ${rate}${until === '' ? '' : `, until ${until}`}. It is not in the amounts.`,
    `رسم مكافحة إغراق على ${goods.ar} من ${origin}: ${rate}${until === '' ? '' : `، حتى ${until}`}. وليس ضمن المبالغ.`,
  )

/** True of every estimate. */
export const NEVER_INCLUDED: readonly Bilingual[] = [
  both('Anti-dumping, countervailing and safeguard duties.', 'رسوم مكافحة الإغراق والرسوم التعويضية والوقائية.'),
  both('Exemptions granted to an importer or a project.', 'الإعفاءات الممنوحة لمستورد أو مشروع بعينه.'),
]

const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`)

/** A country's name within a sentence. */
const withArticle = (name: string): string => (name.startsWith('United ') ? `the ${name}` : name)

/** A name of goods within a sentence; abbreviations stay. */
const lower = (text: string): string => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text)
