/** Strings of the embedded search box. */
interface Words {
  label: string
  hint: string
  choose: string
  none: string
  found: (n: number) => string
  offline: string
  limit: string
  key: string
  origin: string
  duty: string
  prohibited: string
  unknown: string
}

const en: Words = {
  label: 'HS code, by words or digits',
  hint: 'Goods or code',
  choose: 'Choose a code from the list.',
  none: 'Nothing found. Try fewer or plainer words.',
  found: n => (n === 1 ? '1 code' : `${n} codes`),
  offline: 'The server did not answer. Try again in a moment.',
  limit: 'Too many requests just now. The search continues by itself.',
  key: 'The server refused the key of this search box.',
  origin: 'The server did not answer, or does not allow this site.',
  duty: 'Duty',
  prohibited: 'Prohibited',
  unknown: 'Unknown',
}

const ar: Words = {
  label: 'رمز النظام المنسق، بالكلمات أو بالأرقام',
  hint: 'بضاعة أو رمز',
  choose: 'اختر رمزا من القائمة.',
  none: 'لا نتائج. جرّب كلمات أقل أو أبسط.',
  found: n => (n === 1 ? 'رمز واحد' : n === 2 ? 'رمزان' : n <= 10 ? `${n} رموز` : `${n} رمزا`),
  offline: 'لم يستجب الخادم. حاول بعد لحظات.',
  limit: 'الطلبات كثيرة الآن. سيتابع البحث تلقائيا.',
  key: 'رفض الخادم مفتاح مربع البحث هذا.',
  origin: 'لم يستجب الخادم، أو أنه لا يسمح لهذا الموقع.',
  duty: 'الرسم',
  prohibited: 'ممنوع',
  unknown: 'غير معروف',
}

export type Language = 'en' | 'ar'
export const WORDS: Readonly<Record<Language, Words>> = { en, ar }
