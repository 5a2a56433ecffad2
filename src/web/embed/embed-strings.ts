/** Strings of the example page of the embedded search box. */
export interface EmbedStrings {
  title: string
  description: string
  text: string
  label: string
  send: string
  sent: string
  event: string
  needsKey: string
  toKey: string
  source: string
  sourceText: string
  more: string
}

const en: EmbedStrings = {
  title: 'A search box for your own page',
  description: 'The hsapi search box as a web component in a single file, to try and to copy.',
  text: 'Type goods or digits, choose a code, submit the form. It is one element and one script, without dependencies.',
  label: 'HS code of your goods',
  send: 'Submit',
  sent: 'The form would send:',
  event: 'The event hsapi-select contains:',
  needsKey: 'This server asks for an API key.',
  toKey: 'Enter it on the search page first.',
  source: 'In your page',
  sourceText: 'Replace YOUR_KEY with a separate key that has low limits: everybody who opens your page can read it.',
  more: 'All attributes, events and settings',
}

const ar: EmbedStrings = {
  title: 'مربع بحث لصفحتك أنت',
  description: 'مربع بحث hsapi كعنصر ويب في ملف واحد، لتجربته ونسخه.',
  text: 'اكتب البضاعة أو الأرقام، واختر الرمز، وأرسل النموذج. عنصر واحد وملف واحد، ولا يحتاج إلى شيء آخر.',
  label: 'رمز النظام المنسق لبضاعتك',
  send: 'أرسل',
  sent: 'يرسل النموذج:',
  event: 'ويحمل الحدث hsapi-select:',
  needsKey: 'هذا الخادم يطلب مفتاحا.',
  toKey: 'أدخله في صفحة البحث أولا.',
  source: 'في صفحتك',
  sourceText: 'ضع مكان YOUR_KEY مفتاحا خاصا بها حدوده قليلة، فكل من يفتح صفحتك يستطيع قراءته.',
  more: 'كل الخصائص والأحداث والإعدادات',
}

export const embedStrings: Readonly<Record<'en' | 'ar', EmbedStrings>> = { en, ar }
