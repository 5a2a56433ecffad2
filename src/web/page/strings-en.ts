/** Every sentence of the pages, in English. strings-ar.ts has the same keys, by type. `{name}` is filled in, often by an element. */

const number = new Intl.NumberFormat('en')
const counted = (n: number, one: string, many: string) => `${number.format(n)} ${n === 1 ? one : many}`

const LIGHT = 'Light colours'
const DARK = 'Dark colours'
const COPIED = 'Copied'

/** Of the documents that the build renders; apart, so that no script loads them. */
export const shellEn = {
  tagline: 'Find the code. See the duty.',
  lead: 'All of HS 2022 and the Gulf’s 12-digit lines, in English and Arabic.',
  description: 'Search HS codes in English and Arabic, browse the tariff, estimate duty, VAT and landed cost.',
  skip: 'Skip to content',
  noScript: 'These pages need JavaScript. The data is also there without it:',
  other: 'العربية',
  navSearch: 'Search',
  navBrowse: 'Browse',
  navCheck: 'Check codes',
  navDocs: 'Docs',
  navLabel: 'Pages',
  forgetKey: 'Forget my key',
  footer: 'Rates are indicative. Verify them with the customs authority before you pay or quote.',
  searchLabel: 'Search by words or code',
  searchHint: 'Goods or code: tea, 0902, شاي',
  clear: 'Clear',
  suggestions: 'Suggestions',
  examplesLabel: 'Try',
  examples: ['laptop', 'green tea', 'olive oil', 'سيارة كهربائية', 'عطور', '8517.13'],
}

export const en = {
  title: 'HS codes, duty and landed cost',
  brand: 'hsapi',

  themeLight: LIGHT,
  themeDark: DARK,

  suggestionCount: (n: number) => (n === 0 ? 'No suggestions' : counted(n, 'suggestion', 'suggestions')),
  sectionsTitle: 'Or walk down the tariff',

  results: (n: number) => (n === 0 ? 'No codes found' : counted(n, 'code', 'codes')),
  resultsFor: '{count} for {q}',
  shownOf: (shown: number, total: number) => `${number.format(shown)} of ${number.format(total)} shown`,
  typeMore: 'Type one more letter.',
  more: 'Show more',
  filters: 'Narrow down',
  levelLabel: 'Digits',
  levelAll: 'All',
  chapterLabel: 'Chapter',
  chapterAll: 'All chapters',
  onlyIn: (code: string) => `Only in ${code}`,
  levels: { 2: 'Chapter', 4: 'Heading', 6: 'Subheading' } as Record<number, string>,
  line: 'Tariff line',
  digits: (n: number) => `${n} digits`,
  section: 'Section {number}',
  rate: 'Duty {rate}',
  free: 'Free',
  inactive: 'Not in force',
  path: 'Stands under',
  matched: 'Matched: {name}',

  emptyTitle: 'Nothing found for {q}',
  emptyText: 'Fewer or plainer words often help: what it is, what it is made of. Both languages are understood.',
  emptyFiltered: 'Nothing found for {q} within these filters',
  dropFilters: 'Search everywhere',
  toBrowse: 'Browse the tariff instead',

  record: 'Code {code}',
  inEnglish: 'English',
  inArabic: 'Arabic',
  noWords: 'No text in this language.',
  namesTitle: 'Everyday names',
  copyCode: 'Copy code',
  copyRow: 'Copy CSV row',
  copyCurl: 'Copy curl',
  copied: COPIED,
  copyFailed: 'Could not copy. Select and copy by hand.',
  print: 'Print',
  preparing: 'Gathering all lines…',
  seeInTree: 'See in the tree',
  tools: 'Take along',

  dutyTitle: 'Duty rate',
  rateFrom: 'Written on {code}',
  rateOwn: 'Written on this code',
  certainty: {
    published: 'Published',
    general: 'Commonly reported',
    uncertain: 'Uncertain',
  } as Record<string, string>,
  certaintyText: {
    published: 'Read in a published tariff or agreement.',
    general: 'Not read in the UAE’s own schedule.',
    uncertain: 'Open to doubt. Ask the customs authority before you rely on it.',
  } as Record<string, string>,
  source: 'Source',
  rateRange: 'Lines below this code carry {from} to {to} %.',

  calcTitle: 'Landed cost',
  calcValue: 'CIF value',
  calcCurrency: 'Currency',
  calcVat: 'VAT %',
  calcDuty: 'Import duty',
  calcVatAmount: 'VAT',
  calcTotal: 'Duty and VAT',
  calcLanded: 'Landed cost',
  calcEnter: 'Enter the CIF value of the goods.',
  calcBad: 'A number from 0.01 to 999,999,999,999.99, with at most 15 digits.',
  calcBadVat: 'VAT is a percentage from 0 to 100 with at most 4 decimals.',
  calcNote: 'An estimate: excise, exemptions and rounding rules are left out.',

  siblingsTitle: 'Beside it',
  siblingsText: 'Codes of the same parent. What they have in common is paler.',
  here: 'This code',
  showAll: (n: number) => `Show all ${number.format(n)}`,
  childrenTitle: 'One level below',
  linesTitle: (digits: number) => `Lines of ${digits} digits`,
  linesText: 'What goods are declared on.',
  thisIsLine: 'Goods are declared on this line.',
  editionsTitle: 'Earlier editions',
  editionSame: 'the same code',
  editionNone: 'no such goods apart',
  editionShort: 'Editions are compared by six digits: choose a subheading.',

  browseTitle: 'The tariff',
  browseText: 'Arrow keys walk, Enter opens a code.',
  treeLabel: 'Sections, chapters and codes',
  openRecord: 'Open {code}',

  checkTitle: 'Check codes',
  checkText:
    'Paste codes or a table, from a spreadsheet, an invoice or a courier. Dots, spaces and lost zeros are mended; nothing is guessed.',
  checkBox: 'Codes or CSV',
  checkHint: '8517.13\n10121\n0902 10',
  checkFile: 'Choose a CSV file',
  checkNotText: 'That file is not text. Save the sheet as CSV and choose that.',
  checkTooLong: (max: number) => `Only the first ${number.format(max)} rows are taken.`,
  checkEdition: 'Codes are of',
  checkColumn: 'Column with the codes',
  column: (n: number) => `Column ${n}`,
  checkGo: 'Check',
  checkStop: 'Stop',
  checkExample: 'Fill in an example',
  checkNone: 'There is no code in this text. A code is 2 to 14 digits.',
  checkProgress: (done: number, all: number) => {
    const checked = `${number.format(done)} of ${number.format(all)} checked`
    return done === all ? checked : `${checked}, ${number.format(all - done)} left`
  },
  checkDownload: 'Download CSV',
  checkFilter: 'Show',
  checkAll: 'All',
  thInput: 'As given',
  thStatus: 'Status',
  thCode: 'Code',
  thWords: 'Words',
  thRate: 'Duty',
  status: {
    found: 'Found',
    normalised: 'Mended',
    ambiguous: 'Several',
    moved: 'Moved',
    unknown: 'Unknown',
    invalid: 'No code',
  } as Record<string, string>,
  nearest: 'Nearest: {code}',
  candidates: 'Perhaps {codes}',
  linesBelow: (n: number) => `${counted(n, 'line', 'lines')} below`,
  declarable: 'Declarable',
  reasonScience: 'Scientific notation has lost the digits. Format the column as text and export again.',
  reasonDigits: 'A code is 2 to 14 digits.',

  keyTitle: 'Your key, please',
  keyText: 'This server asks for an API key. It stays in this browser and is sent to this server only.',
  keyWrong: 'The server does not know this key. Look for a missing letter, or ask whoever runs the server for a new one.',
  keyExpired: 'This key’s last day is over. Ask whoever runs the server for a new one.',
  keyLabel: 'API key',
  keyGo: 'Use this key',
  keyShape: 'A key begins with hs_ and has no spaces.',
  keyOfferTitle: 'Use the key from this link?',
  keyOfferText:
    'The link you opened carries an API key: {key}. Use it only if you know who sent it: what you look up counts against that key.',
  keyOfferReplaces: 'It would replace the key that this browser has now.',
  keyOfferNo: 'Ignore it',
  keyUnchecked: 'The key could not be checked. Try again in a moment.',

  loading: 'Loading…',
  slowTitle: 'This takes longer than usual',
  slowText: 'The server has not answered yet. Still waiting.',
  again: 'Ask again',
  offlineTitle: 'No answer from the server',
  offlineText: 'The connection is down, or the server is. It is tried again by itself.',
  limitTitle: 'A short pause',
  limitText: 'The limit of requests is used up. It goes on by itself in {seconds}.',
  quotaMinute: (left: number, limit: number) => `${number.format(left)} of ${number.format(limit)} requests left this minute`,
  quotaDay: (left: number, limit: number) => `${number.format(left)} of ${number.format(limit)} requests left today`,
  quotaWaits: 'The search for {q} waits, to save requests. It goes on by itself when the minute is over, or at once with Enter.',
  quotaNow: 'Search now',
  startingTitle: 'The server is starting',
  startingText: 'It is loading its data. It goes on by itself in {seconds}.',
  seconds: (n: number) => {
    if (n < 120) return counted(n, 'second', 'seconds')
    return n < 7200 ? counted(Math.ceil(n / 60), 'minute', 'minutes') : counted(Math.ceil(n / 3600), 'hour', 'hours')
  },
  missingTitle: 'There is no code {code}',
  missingNearest: 'The nearest that exists is {code}.',
  missingMoved: 'An earlier edition had it. Now it is:',
  missingText: 'Look for it by words or by its first digits.',
  notCodeTitle: '{code} is not a code',
  notCodeText: 'A code is 2 to 14 digits.',
  didYouMean: 'Did you mean {code}?',
  searchFor: 'Search for {q}',
  lostTitle: 'There is no such page',
  lostText: 'The address may be old or mistyped.',
  toStart: 'To the search',
  brokenTitle: 'Something went wrong here',
  brokenText: 'It is not your mistake. Try again; if it stays, tell whoever runs the server.',
  brokenId: 'Number for the log: {id}',
}

export type ShellStrings = typeof shellEn
export type Strings = typeof en

/** Of the documentation pages; apart, so that the other pages do not load them. */
export const docsEn = {
  title: 'Documentation',
  description: 'How to use hsapi, run a server, and serve your own tariff.',
  overview: 'All pages',
  contract: 'Interactive contract',
  contractText: 'Every endpoint with its parameters and responses, and requests to try on this server.',
  pages: 'Pages of the documentation',
  onThisPage: 'On this page',
  englishOnly: 'This page is available in English only.',
  mostlyEnglish: 'Most pages are available in English only.',
  groups: { start: 'Get started', use: 'Use it', run: 'Run it', background: 'Background' },
  search: 'Search the documentation',
  found: (n: number, shown: number) => {
    const count = n === 0 ? 'No results' : counted(n, 'result', 'results')
    return shown < n ? `${count}, the best ${shown} shown` : count
  },
  searchFailed: 'The search could not be loaded. Check your connection and type again.',
  copy: 'Copy',
  copied: COPIED,
  copyFailed: 'Could not copy',
  themeLight: LIGHT,
  themeDark: DARK,
}

export type DocsStrings = typeof docsEn
