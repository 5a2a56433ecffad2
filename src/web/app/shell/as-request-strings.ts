interface AsRequestStrings {
  text: string
  more: string
  copy: string
}

const en: AsRequestStrings = {
  text: 'Put a key of this server into {name}. The response has the data that this page shows.',
  more: 'All endpoints',
  copy: 'Copy',
}

const ar: AsRequestStrings = {
  text: 'ضع مفتاحا من هذا الخادم في {name}. وفي الرد البيانات التي تعرضها هذه الصفحة.',
  more: 'جميع مسارات الواجهة البرمجية',
  copy: 'انسخ',
}

export const asRequestStrings: Readonly<Record<'en' | 'ar', AsRequestStrings>> = { en, ar }
