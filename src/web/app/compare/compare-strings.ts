/** Strings of the comparison, loaded with it. */
import type { Language } from '../text/strings.js'

const en = {
  text: 'Two to four codes side by side. Highlighted words distinguish a text from the others.',
  add: 'Add a code',
  addGo: 'Add',
  addBad: 'A code is 2 to 14 digits.',
  addTwice: 'This code is already in the comparison.',
  none: 'Choose codes with the Compare button on a record, a result or a starred code, or enter one here.',
  more: 'Add another code to compare it with.',
  tooMany: 'At most four codes are compared; the others are left out.',
  remove: 'Remove {code}',
  same: 'the same for all',
  path: 'Place in the tariff',
  rate: 'Duty rate',
  rateIn: 'Duty rate in {country}',
  rateFrom: 'set for {code}',
  names: 'Everyday names',
  lines: 'Lines of {digits} digits',
  notes: 'Legal notes',
  sharedNotes: 'Notes on all these codes',
  noNotes: 'None of its own.',
  noNames: 'None.',
  declared: 'Declared under this line',
  scrolls: 'Comparison; scrolls sideways',
}

export type CompareStrings = typeof en

const ar: CompareStrings = {
  text: 'من رمزين إلى أربعة رموز جنبا إلى جنب. الكلمات المظللة تميز النص من غيره.',
  add: 'أضف رمزا',
  addGo: 'أضف',
  addBad: 'الرمز من 2 إلى 14 خانة.',
  addTwice: 'هذا الرمز مضاف من قبل.',
  none: 'اختر الرموز بزر «قارن» في صفحة الرمز أو في النتائج أو في المفضلة، أو أدخل رمزا هنا.',
  more: 'أضف رمزا آخر لتقارنه به.',
  tooMany: 'أربعة رموز على الأكثر، وما زاد عليها لا يُعرض.',
  remove: 'أزل {code} من المقارنة',
  same: 'مشترك بين الكل',
  path: 'موقعه في التعرفة',
  rate: 'نسبة الرسم',
  rateIn: 'نسبة الرسم في {country}',
  rateFrom: 'محددة للرمز {code}',
  names: 'أسماء متداولة',
  lines: 'بنود من {digits} خانة',
  notes: 'الملاحظات القانونية',
  sharedNotes: 'ملاحظات تشملها كلها',
  noNotes: 'لا ملاحظة تخصه.',
  noNames: 'لا يوجد.',
  declared: 'يُصرّح على هذا البند',
  scrolls: 'المقارنة، تُمرر أفقيا',
}

export const compareStrings: Record<Language, CompareStrings> = { en, ar }
