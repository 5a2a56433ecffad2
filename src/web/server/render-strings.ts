/** Strings that only previews and search engines show, not the pages themselves. */
import type { Language } from '../../responses/preferences.js'

interface RenderStrings {
  /** For a record. `tariff` is the name of the common tariff or of a country. */
  recordDescription: string
  /** Appended for a code that has a parent. */
  under: string
  branchTitle: string
  branchDescription: string
  browseDescription: string
  missingDescription: string
}

export const renderStrings: Readonly<Record<Language, RenderStrings>> = {
  en: {
    recordDescription: 'HS code {code}: {words}. Import duty: {rate} ({tariff}).',
    under: ' Under {path}.',
    branchTitle: '{code} {words} in the tariff',
    branchDescription: 'Codes under {code}, {words}, with their import duty.',
    browseDescription: 'The customs tariff as a tree: sections, chapters, headings, subheadings and tariff lines.',
    missingDescription: 'There is no HS code {code} in this tariff.',
  },
  ar: {
    recordDescription: 'رمز النظام المنسق {code}: {words}. الرسم الجمركي: {rate} ({tariff}).',
    under: ' ضمن {path}.',
    branchTitle: '{code} {words} في التعرفة',
    branchDescription: 'الرموز تحت {code}، {words}، مع رسومها الجمركية.',
    browseDescription: 'التعرفة الجمركية شجرةً: الأقسام والفصول والبنود والبنود الفرعية وبنود التعرفة.',
    missingDescription: 'لا يوجد في هذه التعرفة رمز {code}.',
  },
}
