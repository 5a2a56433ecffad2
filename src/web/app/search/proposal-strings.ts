/** Strings about proposed codes, in a separate file because they are loaded with the first title. */
import type { Language } from '../text/strings.js'

const en = {
  title: 'Proposed codes',
  honest: 'A proposal, never a ruling. The declarant is responsible for the code.',
  howOften: 'How often it is right',

  steps: 'Your answers',
  takeBack: 'Undo:',
  within: 'Only {codes}',

  clear: 'One code fits clearly',
  clearText: 'Check its description, then choose it to find its line.',
  choose: 'Most likely',
  chooseText: 'Words in bold distinguish the candidates; highlighted words are in the title.',
  chooseLine: 'Which line is it?',
  askText: 'The answer decides between the best codes.',
  others: (n: number) => `Other candidates (${n})`,
  guesses: (n: number) => `Guesses (${n})`,

  matched: 'Matching words: {words}',
  excluded: 'Not covered here',
  goesTo: 'Goes to {codes}',
  pick: 'Choose {code}',
  pickLine: 'Choose line {code}',

  lineTitle: 'The line',
  lineText: 'Proposed from the title and your answers. Read its description and notes before you declare goods under it.',
  openLine: 'Open the record and calculate',
  copyLine: 'Copy the line',

  allLines: 'All lines of {code}',
  unknownTitle: 'These words are not recognised',
  missing: 'These words name no goods. State {fact}.',
  unknownText: 'Use other words: what the goods are, what they are made of or used for. English and Arabic are understood.',
  refusedTitle: 'This request is not possible',
  refusedText: 'The address names a code that does not exist, or the title is too long.',
  withoutAnswers: 'Start again without answers',
}

export type ProposalStrings = typeof en

const ar: ProposalStrings = {
  title: 'الرموز المقترحة',
  honest: 'اقتراح وليس قرار تصنيف. ومن يصرّح بالبضاعة مسؤول عن الرمز.',
  howOften: 'مدى دقة الاقتراحات',

  steps: 'إجاباتك',
  takeBack: 'تراجع عن:',
  within: 'فقط {codes}',

  clear: 'رمز واحد ينطبق بوضوح',
  clearText: 'راجع وصفه، ثم اختره للوصول إلى بنده.',
  choose: 'الأرجح',
  chooseText: 'الكلمات العريضة تميّز الرموز بعضها من بعض، والكلمات المظللة وردت في الوصف.',
  chooseLine: 'أي بند ينطبق؟',
  askText: 'الإجابة تحسم بين أرجح الرموز.',
  others: n => `رموز أخرى محتملة (${n})`,
  guesses: n => `تخمينات (${n})`,

  matched: 'كلمات مطابقة: {words}',
  excluded: 'لا يشمل',
  goesTo: 'يصنف في {codes}',
  pick: 'اختر {code}',
  pickLine: 'اختر البند {code}',

  lineTitle: 'البند',
  lineText: 'مقترح بناء على الوصف وإجاباتك. اقرأ وصفه وملاحظاته قبل أن تصرّح عليه.',
  openLine: 'افتح صفحة البند واحسب الرسوم',
  copyLine: 'انسخ البند',

  allLines: 'كل بنود {code}',
  unknownTitle: 'لا يُعرف شيء عن هذه الكلمات',
  missing: 'لا تسمي هذه الكلمات بضاعة. اذكر: {fact}.',
  unknownText: 'استخدم كلمات أخرى: ما هي البضاعة، ومم صُنعت، ولأي غرض. اكتبها بالعربية أو بالإنجليزية.',
  refusedTitle: 'تعذر هذا الطلب',
  refusedText: 'في العنوان رمز غير موجود، أو أن الوصف أطول من اللازم.',
  withoutAnswers: 'اقترح من جديد بلا إجابات',
}

export const proposalStrings: Readonly<Record<Language, ProposalStrings>> = { en, ar }
