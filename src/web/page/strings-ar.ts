/** Every sentence of the pages, in Arabic as Gulf traders write it. Digits are Western, as on customs papers and in the data. */
import type { DocsStrings, ShellStrings, Strings } from './strings-en.js'

const number = new Intl.NumberFormat('en')

/** Arabic counts in four forms: one, two, three to ten, and from eleven on; hundreds go by what stands behind them. */
function counted(n: number, one: string, two: string, few: string, many: string): string {
  if (n === 1) return one
  if (n === 2) return two
  const rest = n % 100
  return `${number.format(n)} ${rest >= 3 && rest <= 10 ? few : many}`
}

const LIGHT = 'ألوان فاتحة'
const DARK = 'ألوان داكنة'
const COPIED = 'نُسخ'

/** Of the documents that the build renders; apart, so that no script loads them. */
export const shellAr: ShellStrings = {
  tagline: 'ابحث عن البند، واعرف رسمه.',
  lead: 'النظام المنسق 2022 كاملا وبنود الخليج ذات 12 خانة، بالعربية والإنجليزية.',
  description: 'بحث في رموز النظام المنسق بالعربية والإنجليزية، وتصفح التعرفة، وتقدير الرسوم والضريبة والتكلفة الواصلة.',
  skip: 'انتقل إلى المحتوى',
  noScript: 'هذه الصفحات تحتاج إلى JavaScript. والبيانات متاحة بدونه أيضا:',
  other: 'English',
  navSearch: 'بحث',
  navBrowse: 'تصفح',
  navCheck: 'فحص الرموز',
  navDocs: 'التوثيق',
  navLabel: 'الصفحات',
  forgetKey: 'انس مفتاحي',
  footer: 'الرسوم المعروضة استرشادية. تحقق منها لدى الجمارك قبل أن تدفع أو تسعّر.',
  searchLabel: 'ابحث بالكلمات أو بالرمز',
  searchHint: 'بضاعة أو رمز: شاي، 0902، tea',
  clear: 'امسح',
  suggestions: 'اقتراحات',
  examplesLabel: 'جرّب',
  examples: ['لابتوب', 'شاي أخضر', 'زيت زيتون', 'سيارة كهربائية', 'perfume', '8517.13'],
}

export const ar: Strings = {
  title: 'رموز النظام المنسق والرسوم والتكلفة الواصلة',
  brand: 'hsapi',

  themeLight: LIGHT,
  themeDark: DARK,

  suggestionCount: n => (n === 0 ? 'لا اقتراحات' : counted(n, 'اقتراح واحد', 'اقتراحان', 'اقتراحات', 'اقتراحا')),
  sectionsTitle: 'أو تدرّج في التعرفة',

  results: n => (n === 0 ? 'لا رموز' : counted(n, 'رمز واحد', 'رمزان', 'رموز', 'رمزا')),
  resultsFor: '{count} عن {q}',
  shownOf: (shown, total) => `المعروض ${number.format(shown)} من ${number.format(total)}`,
  typeMore: 'اكتب حرفا آخر.',
  more: 'اعرض المزيد',
  filters: 'تضييق البحث',
  levelLabel: 'الخانات',
  levelAll: 'الكل',
  chapterLabel: 'الفصل',
  chapterAll: 'كل الفصول',
  onlyIn: code => `فقط في ${code}`,
  levels: { 2: 'فصل', 4: 'بند', 6: 'بند فرعي' },
  line: 'بند تعرفة',
  digits: n => counted(n, 'خانة واحدة', 'خانتان', 'خانات', 'خانة'),
  section: 'القسم {number}',
  rate: 'الرسم {rate}',
  free: 'معفى',
  inactive: 'غير سارٍ',
  path: 'يقع تحت',
  matched: 'الاسم المطابق: {name}',

  emptyTitle: 'لا شيء عن {q}',
  emptyText: 'كلمات أقل أو أبسط تفيد غالبا: ما هي البضاعة ومم صُنعت. اللغتان مفهومتان.',
  emptyFiltered: 'لا شيء عن {q} ضمن هذه القيود',
  dropFilters: 'ابحث في كل التعرفة',
  toBrowse: 'أو تصفح التعرفة',

  record: 'الرمز {code}',
  inEnglish: 'الإنجليزية',
  inArabic: 'العربية',
  noWords: 'لا نص بهذه اللغة.',
  namesTitle: 'أسماء متداولة',
  copyCode: 'انسخ الرمز',
  copyRow: 'انسخ سطر CSV',
  copyCurl: 'انسخ curl',
  copied: COPIED,
  copyFailed: 'تعذر النسخ. حدد النص وانسخه بيدك.',
  print: 'اطبع',
  preparing: 'تُجمع كل البنود…',
  seeInTree: 'اعرضه في الشجرة',
  tools: 'خذه معك',

  dutyTitle: 'نسبة الرسم',
  rateFrom: 'مثبتة على {code}',
  rateOwn: 'مثبتة على هذا الرمز نفسه',
  certainty: { published: 'منشورة', general: 'شائعة', uncertain: 'غير مؤكدة' },
  certaintyText: {
    published: 'قُرئت في تعرفة أو اتفاقية منشورة.',
    general: 'متداولة، ولم تُقرأ في جدول الإمارات نفسه.',
    uncertain: 'محل شك. اسأل الجمارك قبل أن تعتمد عليها.',
  },
  source: 'المصدر',
  rateRange: 'البنود تحت هذا الرمز تحمل من {from} إلى {to} %.',

  calcTitle: 'التكلفة الواصلة',
  calcValue: 'القيمة سيف (CIF)',
  calcCurrency: 'العملة',
  calcVat: 'الضريبة %',
  calcDuty: 'الرسم الجمركي',
  calcVatAmount: 'ضريبة القيمة المضافة',
  calcTotal: 'الرسم والضريبة',
  calcLanded: 'التكلفة الواصلة',
  calcEnter: 'أدخل قيمة البضاعة سيف (CIF).',
  calcBad: 'رقم من 0.01 إلى 999,999,999,999.99 ولا يزيد على 15 خانة.',
  calcBadVat: 'الضريبة نسبة من 0 إلى 100 ولا تزيد كسورها على 4 خانات.',
  calcNote: 'تقدير لا يشمل الضريبة الانتقائية والإعفاءات وقواعد التقريب.',

  siblingsTitle: 'إلى جانبه',
  siblingsText: 'رموز من الأصل نفسه. ما تشترك فيه أفتح لونا.',
  here: 'هذا الرمز',
  showAll: n => `اعرض الكل (${number.format(n)})`,
  childrenTitle: 'المستوى التالي',
  linesTitle: digits => `بنود من ${digits} خانة`,
  linesText: 'عليها يُصرّح بالبضائع.',
  thisIsLine: 'على هذا البند يُصرّح بالبضاعة.',
  editionsTitle: 'الطبعات السابقة',
  editionSame: 'الرمز نفسه',
  editionNone: 'لم تكن هذه البضاعة مفردة',
  editionShort: 'تُقارن الطبعات على ست خانات: اختر بندا فرعيا.',

  browseTitle: 'التعرفة',
  browseText: 'الأسهم للتنقل، و Enter لفتح الرمز.',
  treeLabel: 'الأقسام والفصول والرموز',
  openRecord: 'افتح {code}',

  checkTitle: 'فحص الرموز',
  checkText: 'الصق رموزا أو جدولا من ملف أو فاتورة أو شركة شحن. النقاط والفراغات والأصفار الضائعة تُصلح، ولا شيء يُخمّن.',
  checkBox: 'رموز أو CSV',
  checkHint: '8517.13\n10121\n0902 10',
  checkFile: 'اختر ملف CSV',
  checkNotText: 'هذا الملف ليس نصا. احفظ الورقة بصيغة CSV ثم اخترها.',
  checkTooLong: max => `تؤخذ أول ${number.format(max)} صف فقط.`,
  checkEdition: 'الرموز من طبعة',
  checkColumn: 'عمود الرموز',
  column: n => `العمود ${n}`,
  checkGo: 'افحص',
  checkStop: 'توقف',
  checkExample: 'املأ بمثال',
  checkNone: 'لا رمز في هذا النص. الرمز من 2 إلى 14 خانة.',
  checkProgress: (done, all) => {
    const checked = `فُحص ${number.format(done)} من ${number.format(all)}`
    return done === all ? checked : `${checked}، وبقي ${number.format(all - done)}`
  },
  checkDownload: 'نزّل CSV',
  checkFilter: 'اعرض',
  checkAll: 'الكل',
  thInput: 'كما ورد',
  thStatus: 'الحالة',
  thCode: 'الرمز',
  thWords: 'الوصف',
  thRate: 'الرسم',
  status: {
    found: 'موجود',
    normalised: 'مُصلح',
    ambiguous: 'أكثر من رمز',
    moved: 'انتقل',
    unknown: 'غير معروف',
    invalid: 'ليس رمزا',
  },
  nearest: 'الأقرب: {code}',
  candidates: 'ربما {codes}',
  linesBelow: n => `تحته ${counted(n, 'بند واحد', 'بندان', 'بنود', 'بندا')}`,
  declarable: 'يُصرّح عليه',
  reasonScience: 'الصيغة العلمية أضاعت الأرقام. اجعل العمود نصا وصدّره من جديد.',
  reasonDigits: 'الرمز من 2 إلى 14 خانة.',

  keyTitle: 'مفتاحك من فضلك',
  keyText: 'هذا الخادم يطلب مفتاح API. يبقى في متصفحك ولا يُرسل إلا إلى هذا الخادم.',
  keyWrong: 'الخادم لا يعرف هذا المفتاح. تأكد من حروفه، أو اطلب مفتاحا جديدا ممن يدير الخادم.',
  keyExpired: 'انتهت صلاحية هذا المفتاح. اطلب مفتاحا جديدا ممن يدير الخادم.',
  keyLabel: 'مفتاح API',
  keyGo: 'استخدم هذا المفتاح',
  keyShape: 'يبدأ المفتاح بـ hs_ ولا فراغ فيه.',
  keyOfferTitle: 'هل تريد استخدام المفتاح الذي في الرابط؟',
  keyOfferText:
    'يحمل الرابط الذي فتحته مفتاح API: {key}. لا تستخدمه إلا إذا كنت تعرف من أرسله، فكل ما تبحث عنه يُحتسب على هذا المفتاح.',
  keyOfferReplaces: 'سيحل محل المفتاح المحفوظ الآن في هذا المتصفح.',
  keyOfferNo: 'تجاهله',
  keyUnchecked: 'تعذر التحقق من المفتاح. حاول بعد قليل.',

  loading: 'يُحمّل…',
  slowTitle: 'يستغرق أكثر من المعتاد',
  slowText: 'لم يجب الخادم بعد. الانتظار مستمر.',
  again: 'اطلب من جديد',
  offlineTitle: 'لا جواب من الخادم',
  offlineText: 'الاتصال مقطوع أو الخادم متوقف. تُعاد المحاولة تلقائيا.',
  limitTitle: 'وقفة قصيرة',
  limitText: 'نفد حد الطلبات. يتابع وحده بعد {seconds}.',
  quotaMinute: (left, limit) => `بقي ${number.format(left)} من ${number.format(limit)} طلبا في هذه الدقيقة`,
  quotaDay: (left, limit) => `بقي ${number.format(left)} من ${number.format(limit)} طلبا لهذا اليوم`,
  quotaWaits: 'البحث عن {q} مؤجل لتوفير الطلبات. يتابع وحده عند انتهاء الدقيقة، أو فورا بالضغط على Enter.',
  quotaNow: 'ابحث الآن',
  startingTitle: 'الخادم يبدأ عمله',
  startingText: 'يحمّل بياناته. يتابع وحده بعد {seconds}.',
  seconds: n => {
    if (n < 120) return counted(n, 'ثانية واحدة', 'ثانيتين', 'ثوان', 'ثانية')
    if (n < 7200) return counted(Math.ceil(n / 60), 'دقيقة واحدة', 'دقيقتين', 'دقائق', 'دقيقة')
    return counted(Math.ceil(n / 3600), 'ساعة واحدة', 'ساعتين', 'ساعات', 'ساعة')
  },
  missingTitle: 'لا يوجد رمز {code}',
  missingNearest: 'أقرب رمز موجود هو {code}.',
  missingMoved: 'كان في طبعة سابقة. وهو الآن:',
  missingText: 'ابحث عنه بالكلمات أو بأول أرقامه.',
  notCodeTitle: '{code} ليس رمزا',
  notCodeText: 'الرمز من 2 إلى 14 خانة.',
  didYouMean: 'هل تقصد {code}؟',
  searchFor: 'ابحث عن {q}',
  lostTitle: 'لا توجد صفحة كهذه',
  lostText: 'ربما العنوان قديم أو فيه خطأ.',
  toStart: 'إلى البحث',
  brokenTitle: 'حدث خطأ هنا',
  brokenText: 'ليس الخطأ منك. حاول ثانية، فإن بقي فأخبر من يدير الخادم.',
  brokenId: 'رقم السجل: {id}',
}

export const docsAr: DocsStrings = {
  title: 'التوثيق',
  description: 'كيف تستخدم hsapi، وتشغّل خادما، وتقدم تعرفتك الخاصة.',
  overview: 'كل الصفحات',
  contract: 'العقد التفاعلي',
  contractText: 'كل نقاط النهاية بمعاملاتها واستجاباتها، مع طلبات تجربها على هذا الخادم.',
  pages: 'صفحات التوثيق',
  onThisPage: 'في هذه الصفحة',
  englishOnly: 'هذه الصفحة متاحة بالإنجليزية فقط.',
  mostlyEnglish: 'معظم الصفحات متاحة بالإنجليزية فقط.',
  groups: { start: 'البداية', use: 'الاستخدام', run: 'التشغيل', background: 'معلومات إضافية' },
  search: 'البحث في التوثيق',
  found: (n, shown) => {
    const count = n === 0 ? 'لا نتائج' : counted(n, 'نتيجة واحدة', 'نتيجتان', 'نتائج', 'نتيجة')
    return shown < n ? `${count}، المعروض أفضل ${shown}` : count
  },
  searchFailed: 'تعذر تحميل البحث. تحقق من الاتصال واكتب من جديد.',
  copy: 'نسخ',
  copied: COPIED,
  copyFailed: 'تعذر النسخ',
  themeLight: LIGHT,
  themeDark: DARK,
}
