/** Sentences of the repair on the check page, in both languages. */
import type { Language } from '../text/strings.js'
import { figure } from '../text/written.js'

const en = {
  wordsColumn: 'Column with the words',
  noWords: 'None',
  title: 'Do words and codes agree?',
  text: (n: number) =>
    `The words of each row are compared with its code, and better codes are proposed. ${figure(n)} ${n === 1 ? 'row has words and counts as a request' : 'rows have words; each counts as a request'}.`,
  compare: 'Compare with the words',
  goOn: 'Go on comparing',
  stop: 'Stop comparing',
  progress: (done: number, all: number) => {
    const compared = `${figure(done)} of ${figure(all)} compared`
    return done === all ? compared : `${compared}, ${figure(all - done)} left`
  },
  acceptAll: (n: number) => `Accept all that are clear (${figure(n)})`,
  undoAll: (n: number) => `Undo all corrections (${figure(n)})`,
  noneClear: 'No proposal is clear enough to be accepted unseen.',
  accepted: (n: number) => `${figure(n)} ${n === 1 ? 'row' : 'rows'} corrected`,
  honest: 'Proposals by the words, never a ruling.',
  status: {
    corrected: 'Corrected by you',
    contradicts: 'Words disagree',
    doubtful: 'Doubtful',
  } as Record<string, string>,
  agrees: 'Words agree',
  was: 'Instead of {code}',
  wasBlank: 'There was no code',
  wordsSay: 'By its words',
  nothing: 'Nothing is known of these words.',
  accept: 'Accept',
  acceptCode: 'Accept {code}',
  undo: 'Undo',
  guided: 'Choose step by step',
}

export type RepairStrings = typeof en

const ar: RepairStrings = {
  wordsColumn: 'عمود وصف البضاعة',
  noWords: 'لا يوجد',
  title: 'هل يتفق الوصف مع الرمز؟',
  text: n => `يُقارن وصف كل صف برمزه، وتُقترح رموز أنسب. عدد الصفوف التي لها وصف: ${figure(n)}، ويُحتسب كل منها طلبا.`,
  compare: 'قارن بالوصف',
  goOn: 'تابع المقارنة',
  stop: 'أوقف المقارنة',
  progress: (done, all) => {
    const compared = `قورن ${figure(done)} من ${figure(all)}`
    return done === all ? compared : `${compared}، وبقي ${figure(all - done)}`
  },
  acceptAll: n => `اقبل كل الواضح (${figure(n)})`,
  undoAll: n => `تراجع عن كل التصحيحات (${figure(n)})`,
  noneClear: 'لا اقتراح واضح بما يكفي لقبوله دون مراجعة.',
  accepted: n => `عدد الصفوف المصححة: ${figure(n)}`,
  honest: 'اقتراحات بحسب الوصف، وليست قرار تصنيف.',
  status: {
    corrected: 'صُحح باختيارك',
    contradicts: 'الوصف يخالف الرمز',
    doubtful: 'محل شك',
  },
  agrees: 'الوصف موافق',
  was: 'بدلا من {code}',
  wasBlank: 'لم يكن هناك رمز',
  wordsSay: 'بحسب الوصف',
  nothing: 'لا يُعرف شيء عن هذه الكلمات.',
  accept: 'اقبل',
  acceptCode: 'اقبل {code}',
  undo: 'تراجع',
  guided: 'اختر خطوة بخطوة',
}

export const repairStrings: Readonly<Record<Language, RepairStrings>> = { en, ar }
