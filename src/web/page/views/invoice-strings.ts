/** The sentences of the invoice page. */
import { lang } from '../language.js'
import { counted as countedAr } from '../strings-ar.js'
import { counted } from '../strings-en.js'

const en = {
  title: 'Invoice',
  text: 'Duty and tax of every row of an invoice, and in total. Paste a table, drop a CSV file, or type the rows.',
  box: 'Paste a table, or type a row and press Enter: code, value, quantity, origin',
  boxHint: '8517.13; 12,000; 10; CN',
  value: 'Value',
  quantity: 'Quantity',
  origin: 'Origin',
  originAll: 'Origin of rows without one',
  no: 'No.',
  duty: 'Duty',
  excise: 'Excise',
  vat: 'VAT',
  landed: 'Landed cost',
  inRow: (field: string, row: number) => `${field}, row ${row}`,
  add: 'Add a row',
  remove: (row: number) => `Remove row ${row}`,
  go: 'Calculate',
  freight: 'Freight, whole invoice',
  insurance: 'Insurance, whole invoice',
  shared: 'Freight and insurance are shared out by value.',
  columnsTitle: 'Columns of the pasted table',
  noColumn: 'None',
  tooMany: (rows: number, max: number) =>
    `An invoice takes at most ${max} rows, and this would make ${rows}. Split the table and calculate the parts one after the other.`,
  nothingRead: 'There are no rows in this text.',
  added: (n: number) => `${counted(n, 'row', 'rows')} added`,
  noRows: 'Enter at least one row with a code and a value.',
  changed: 'Something has changed. Calculate again for new amounts.',
  result: (good: number, all: number) =>
    good === all ? `Total of ${counted(all, 'row', 'rows')}` : `Total of ${good} of ${counted(all, 'row', 'rows')}`,
  leftOut: 'Rows with an error are not in the total, and neither is their share of freight and insurance.',
  notes: (n: number) => counted(n, 'note', 'notes'),
  noCode: 'Enter a code, or remove the row.',
  badCode: 'A code is 2 to 14 digits.',
  science: 'Scientific notation has lost the digits. Format the column as text and paste again.',
  noValue: 'Enter the value of this row.',
  otherCurrency: 'This amount is in {currency}, the invoice is in {other}. Enter it in {other}.',
  badQuantity: 'A quantity is a number, such as 250.',
  badOrigin: 'Not a country. Enter its name or two letters, such as CN.',
  unknown: 'There is no code {code}.',
  useCode: 'Use {code}',
  look: 'Look for it',
  refused: 'The server refused this row: {message}',
  needsQuantity: {
    l: 'Excise goes by litres: enter them as quantity.',
    u: 'Excise goes by pieces: enter them as quantity.',
    g: 'Excise goes by grams: enter them as quantity.',
  } as Record<string, string>,
  needsSugar: 'Excise goes by litres and sugar: enter both.',
  sugar: 'Sugar, g in 100 ml',
}

const ar: typeof en = {
  title: 'الفاتورة',
  text: 'رسوم كل صنف في الفاتورة وضرائبه، ومجموعها. الصق جدولا، أو أفلت ملف CSV، أو اكتب الأصناف.',
  box: 'الصق جدولا، أو اكتب صنفا واضغط Enter: الرمز، القيمة، الكمية، المنشأ',
  boxHint: '8517.13; 12,000; 10; CN',
  value: 'القيمة',
  quantity: 'الكمية',
  origin: 'المنشأ',
  originAll: 'منشأ ما لم يُذكر منشؤه',
  no: 'م',
  duty: 'الرسم',
  excise: 'الانتقائية',
  vat: 'القيمة المضافة',
  landed: 'التكلفة الواصلة',
  inRow: (field, row) => `${field}، الصنف ${row}`,
  add: 'أضف صنفا',
  remove: row => `احذف الصنف ${row}`,
  go: 'احسب',
  freight: 'شحن الفاتورة كلها',
  insurance: 'تأمين الفاتورة كلها',
  shared: 'يوزع الشحن والتأمين على الأصناف بحسب قيمها.',
  columnsTitle: 'أعمدة الجدول الملصق',
  noColumn: 'لا يوجد',
  tooMany: (rows, max) =>
    `تتسع الفاتورة لـ{max} صنف على الأكثر، وهذا يجعلها {rows}. قسّم الجدول واحسب كل جزء على حدة.`
      .replace('{max}', String(max))
      .replace('{rows}', String(rows)),
  nothingRead: 'لا أصناف في هذا النص.',
  added: n => `أُضيف ${countedAr(n, 'صنف واحد', 'صنفان', 'أصناف', 'صنفا')}`,
  noRows: 'أدخل صنفا واحدا على الأقل برمزه وقيمته.',
  changed: 'تغيرت بعض البيانات. احسب من جديد.',
  result: (good, all) => {
    const rows = countedAr(all, 'صنف واحد', 'صنفين', 'أصناف', 'صنفا')
    return good === all ? `مجموع ${rows}` : `مجموع ${good} من أصل ${rows}`
  },
  leftOut: 'الأصناف التي فيها خطأ ليست ضمن المجموع، ولا نصيبها من الشحن والتأمين.',
  notes: n => countedAr(n, 'تنبيه واحد', 'تنبيهان', 'تنبيهات', 'تنبيها'),
  noCode: 'أدخل رمزا أو احذف الصنف.',
  badCode: 'الرمز من 2 إلى 14 خانة.',
  science: 'الصيغة العلمية أضاعت الأرقام. اجعل العمود نصا والصقه من جديد.',
  noValue: 'أدخل قيمة هذا الصنف.',
  otherCurrency: 'هذا المبلغ بعملة {currency} والفاتورة بعملة {other}. أدخله بعملة {other}.',
  badQuantity: 'الكمية رقم، مثل 250.',
  badOrigin: 'ليس اسم بلد. اكتب اسمه أو رمزه من حرفين، مثل CN.',
  unknown: 'لا يوجد رمز {code}.',
  useCode: 'استعمل {code}',
  look: 'ابحث عنه',
  refused: 'رفض الخادم هذا الصنف: {message}',
  needsQuantity: {
    l: 'الضريبة الانتقائية على اللترات: أدخل عددها في الكمية.',
    u: 'الضريبة الانتقائية على القطع: أدخل عددها في الكمية.',
    g: 'الضريبة الانتقائية على الغرامات: أدخل عددها في الكمية.',
  },
  needsSugar: 'الضريبة الانتقائية على اللترات ونسبة السكر: أدخلهما.',
  sugar: 'السكر، غ في 100 مل',
}

export const invoiceStrings = { en, ar }
export const words = invoiceStrings[lang]
