/** Sentences of the classify page, in both languages. Apart from the others, because the page is loaded when it is first shown. */
import type { Language } from '../text/strings.js'

const en = {
  text: 'Paste a product title as an invoice, a shop or a courier writes it. Codes are proposed, and a question is asked where a fact is missing.',
  box: 'Title',
  hint: 'Coffee beans 1 kg',
  go: 'Propose codes',
  examples: ['Coffee beans 1 kg', '20000mAh power bank slim Type-C', 'Frozen chicken breast boneless 2 kg'],
  tooShort: 'Type one more letter.',
  honest: 'A proposal, never a ruling. The declarant is responsible for the code.',
  howOften: 'How often it is right',

  steps: 'Your answers',
  takeBack: 'Take back:',
  within: 'Only {codes}',

  clear: 'One code fits clearly',
  clearText: 'Check its words, then choose it to find its line.',
  choose: 'Several codes are possible',
  chooseText: 'Compare them: bold words tell them apart, marked words are in the title.',
  chooseLine: 'Which line is it?',
  askText: 'The answer decides between the best codes.',
  compared: 'What is compared',
  unlikely: (n: number) => `Less likely (${n})`,
  guesses: (n: number) => `Guesses (${n})`,

  scores: ['Unlikely', 'Possible', 'Likely', 'Very likely'] as readonly string[],
  score: '{words}, {percent} %',
  underOne: 'under 1',
  matched: 'Matching words: {words}',
  excluded: 'Not covered here',
  goesTo: 'Goes to {codes}',
  pick: 'Choose {code}',
  pickLine: 'Take line {code}',

  lineTitle: 'The line',
  lineText: 'Proposed from the title and your answers. Read its words and notes before you declare on it.',
  openLine: 'Open the record and calculate',
  copyLine: 'Copy the line',

  noneTitle: 'None of these?',
  notRight: 'Not right?',
  otherWords: 'Say what it is and what it is made of, or look for it yourself.',
  allLines: 'All lines of {code}',
  searchWords: 'Search with these words',
  unknownTitle: 'Nothing is known of these words',
  unknownText: 'Use other words: what it is, what it is made of, what it is for. English and Arabic are understood.',
  refusedTitle: 'This cannot be asked',
  refusedText: 'The address names a code that does not exist, or the title is too long.',
  withoutAnswers: 'Ask without answers',
}

export type ClassifyStrings = typeof en

const ar: ClassifyStrings = {
  text: 'الصق وصف البضاعة كما يرد في الفاتورة أو المتجر أو بوليصة الشحن. تُقترح الرموز، ويُطرح سؤال إذا نقصت معلومة.',
  box: 'وصف البضاعة',
  hint: 'حبوب قهوة 1 كجم',
  go: 'اقترح الرموز',
  examples: ['حبوب قهوة 1 كجم', 'باور بانك 20000 مللي أمبير', 'صدور دجاج مجمدة بدون عظم 2 كجم'],
  tooShort: 'اكتب حرفا آخر.',
  honest: 'اقتراح وليس قرار تصنيف. ومن يصرّح بالبضاعة مسؤول عن الرمز.',
  howOften: 'مدى دقة الاقتراحات',

  steps: 'إجاباتك',
  takeBack: 'تراجع عن:',
  within: 'فقط {codes}',

  clear: 'رمز واحد ينطبق بوضوح',
  clearText: 'راجع وصفه، ثم اختره للوصول إلى بنده.',
  choose: 'أكثر من رمز محتمل',
  chooseText: 'قارن بينها: الكلمات العريضة تميّز بعضها من بعض، والكلمات المظللة وردت في الوصف.',
  chooseLine: 'أي بند هو؟',
  askText: 'الإجابة تحسم بين أرجح الرموز.',
  compared: 'الرموز محل المقارنة',
  unlikely: n => `أقل احتمالا (${n})`,
  guesses: n => `تخمينات (${n})`,

  scores: ['مستبعد', 'ممكن', 'مرجّح', 'مرجّح جدا'],
  score: '{words}، {percent} %',
  underOne: 'أقل من 1',
  matched: 'كلمات مطابقة: {words}',
  excluded: 'لا يشمل',
  goesTo: 'يصنف في {codes}',
  pick: 'اختر {code}',
  pickLine: 'خذ البند {code}',

  lineTitle: 'البند',
  lineText: 'مقترح بناء على الوصف وإجاباتك. اقرأ وصفه وملاحظاته قبل أن تصرّح عليه.',
  openLine: 'افتح صفحة البند واحسب الرسوم',
  copyLine: 'انسخ البند',

  noneTitle: 'ليس أيا منها؟',
  notRight: 'ليس المطلوب؟',
  otherWords: 'اذكر ما هي البضاعة ومم صُنعت، أو ابحث عنها بنفسك.',
  allLines: 'كل بنود {code}',
  searchWords: 'ابحث بهذه الكلمات',
  unknownTitle: 'لا يُعرف شيء عن هذه الكلمات',
  unknownText: 'استخدم كلمات أخرى: ما هي البضاعة، ومم صُنعت، ولأي غرض. العربية والإنجليزية مفهومتان.',
  refusedTitle: 'لا يمكن هذا الطلب',
  refusedText: 'في العنوان رمز غير موجود، أو أن الوصف أطول من اللازم.',
  withoutAnswers: 'اطلب بلا إجابات',
}

export const classifyStrings: Readonly<Record<Language, ClassifyStrings>> = { en, ar }
