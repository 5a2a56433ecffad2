/** Among neighbouring codes, the words that tell them apart are bold, and few others. */
import t from 'tap'
import { goWithin, type Language, openPages, WITHOUT_BROWSER } from '../support/browser.js'

const LAPTOPS = [
  ['Laptop computers weighing up to 10 kg', 'أجهزة حاسب محمولة (لابتوب) لا يتجاوز وزنها 10 كجم'],
  ['Tablet computers weighing up to 10 kg', 'أجهزة حاسب لوحية (تابلت) لا يتجاوز وزنها 10 كجم'],
  [
    'Portable computers up to 10 kg with processor, keyboard and display, other than laptops and tablets',
    'أجهزة حاسب محمولة بمعالج ولوحة مفاتيح وشاشة لا يتجاوز وزنها 10 كجم، من غير اللابتوب والتابلت',
  ],
]
const TEAS = [
  ['Green tea (unfermented) in packings of 3 kg or less', 'شاي أخضر (غير مخمر) في عبوات لا تزيد على 3 كجم'],
  ['Green tea (unfermented) in packings of more than 3 kg', 'شاي أخضر (غير مخمر) في عبوات تزيد على 3 كجم'],
  ['Black tea (fermented) in packings of 3 kg or less', 'شاي أسود (مخمر) في عبوات لا تزيد على 3 كجم'],
  ['Black tea (fermented) in packings of more than 3 kg', 'شاي أسود (مخمر) في عبوات تزيد على 3 كجم'],
]
const HEADINGS = [
  [
    'Coffee, roasted or not, decaffeinated or not, coffee husks and skins, and substitutes containing coffee',
    'قهوة محمصة أو غير محمصة',
  ],
  ['Tea, green or black, plain or flavoured', 'شاي أخضر أو أسود، سادة أو منكه'],
  ['Mate (leaves and stems for infusion)', 'متة (أوراق وعيدان للنقع)'],
]

t.test('neighbouring codes', { skip: WITHOUT_BROWSER }, async t => {
  const pages = await openPages(t)

  /** The bold words of each card, on the page of a code whose siblings have these texts. */
  async function bold(path: string, texts: readonly (readonly string[])[], lang: Language): Promise<string[][]> {
    const { page } = await pages.visit(t, `/shipment?lang=${lang}`, { lang })
    const digits = path.length
    const data = texts.map(([en = '', ar = ''], at) => ({
      hs_code: at === 0 ? path : String(Number(path) + at).padStart(digits, '0'),
      description: { en, ar },
      level: digits,
      parent_id: null,
      tariff_rate: 0,
      is_active: true,
    }))
    await page.route(/\/hs-codes\/\d+\?/, async route => {
      const json = await (await route.fetch()).json()
      json.data.siblings = { items: data, total: data.length, limit: 50, offset: 0 }
      await route.fulfill({ json })
    })
    await goWithin(page, `/code/${path}?lang=${lang}`)
    await page.locator('.siblings li').first().waitFor()
    const cards = await page.locator('.siblings li').all()
    return Promise.all(cards.map(card => card.locator('b').allTextContents()))
  }

  t.test('a word that another text has only in an exclusion still distinguishes a code', async t => {
    t.strictSame(await bold('851713', LAPTOPS, 'en'), [['Laptop'], ['Tablet'], ['other than laptops and tablets']])
    t.strictSame(await bold('851713', LAPTOPS, 'ar'), [['لابتوب'], ['لوحية'], ['من غير اللابتوب والتابلت']])
  })

  t.test('if one word does not distinguish a code, as many as needed are bold', async t => {
    t.strictSame(await bold('851713', TEAS, 'en'), [
      ['Green', 'less'],
      ['Green', 'more'],
      ['Black', 'less'],
      ['Black', 'more'],
    ])
  })

  t.test('in the long texts of headings, one word is bold, not most words', async t => {
    t.strictSame(await bold('8517', HEADINGS, 'en'), [['Coffee'], ['Tea'], ['Mate']])
  })
})
