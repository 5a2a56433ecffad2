/** Strings of the note about answers from storage. */
interface KeptStrings {
  offline: string
  asOf: (date: string) => string
  again: string
}

const en: KeptStrings = {
  offline: 'Offline.',
  asOf: date => `What you see is as of ${date}.`,
  again: 'Try again',
}

const ar: KeptStrings = {
  offline: 'بلا اتصال.',
  asOf: date => `المعروض كما كان في ${date}.`,
  again: 'أعد المحاولة',
}

export const keptStrings: Readonly<Record<'en' | 'ar', KeptStrings>> = { en, ar }
