/** Tasks that a user starts by name, in English or Arabic. */
import type { McpServer } from '@modelcontextprotocol/server'
import { checkedSchema } from './schemas.js'

interface Prompt {
  name: string
  title: string
  description: string
  /** The only argument in addition to the language. */
  argument: string
  about: string
  en(value: string): string
  ar(value: string): string
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'classify',
    title: 'Classify goods',
    description: 'Finds the line under which described goods are declared.',
    argument: 'goods',
    about: 'What the goods are, with material and use if known',
    en: goods =>
      `Classify these goods: ${goods}\n\nUse classify_goods. If it returns a question that the description does not answer, ask me that ` +
      'one question with its answers. Read the notes with get_hs_code, go down to the line, and check it with verify_hs_code. ' +
      'Answer with the code, its words, why this code, what is uncertain, and the duty rate as indicative.',
    ar: goods =>
      `صنف هذه البضائع: ${goods}\n\nاستخدم classify_goods مع language بقيمة ar. إذا أعادت الأداة سؤالا لا يجيب عنه الوصف فاسألني هذا السؤال ` +
      'وحده مع خياراته. اقرأ الملاحظات باستخدام get_hs_code، وانزل إلى البند الذي يصرح به، ثم تحقق باستخدام verify_hs_code. ' +
      'أجب بالعربية: الرمز ووصفه وسبب اختياره وما هو غير مؤكد، واذكر أن نسبة الرسم استرشادية.',
  },
  {
    name: 'check-invoice',
    title: 'Check the codes of an invoice',
    description: 'Checks whether the HS codes on an invoice fit its goods.',
    argument: 'invoice',
    about: 'Lines of goods with their codes, as text',
    en: invoice =>
      `Check the HS codes of this invoice:\n${invoice}\n\nRead the codes with resolve_hs_codes, then send goods and codes to verify_hs_code as ` +
      'items, at most 20 at once. Answer with a table: goods, code as written, code as read, verdict, better code if any. ' +
      'Below the table, name only the lines that need a decision, each with the question that decides.',
    ar: invoice =>
      `تحقق من رموز النظام المنسق في هذه الفاتورة:\n${invoice}\n\nاقرأ الرموز باستخدام resolve_hs_codes، ثم أرسل البضائع ورموزها إلى verify_hs_code ` +
      'في items، عشرين على الأكثر في المرة. أجب بالعربية بجدول: البضاعة، الرمز كما كتب، الرمز كما قرئ، النتيجة، الرمز الأنسب إن وجد. ' +
      'ثم اذكر فقط الأسطر التي تحتاج إلى قرار، ومع كل منها السؤال الحاسم.',
  },
  {
    name: 'explain-code',
    title: 'Explain a code',
    description: 'Explains what an HS code includes and excludes, in plain words.',
    argument: 'code',
    about: 'An HS code, as written',
    en: code =>
      `Explain the HS code ${code} in plain words. Use get_hs_code. Say what it includes, what its notes exclude and where those goods go, the ` +
      'unit, the duty rate as indicative with its source, controls on import, and on which line goods are declared.',
    ar: code =>
      `اشرح رمز النظام المنسق ${code} بكلمات بسيطة. استخدم get_hs_code مع language بقيمة ar. اذكر بالعربية ما يشمله، وما تستثنيه ملاحظاته وإلى أين ` +
      'يذهب، ووحدة الكمية، ونسبة الرسم على أنها استرشادية مع مصدرها، وقيود الاستيراد، والبند الذي يصرح به.',
  },
]

const SCHEMAS = PROMPTS.map(({ argument, about }) =>
  checkedSchema<Record<string, string>>({
    type: 'object',
    properties: {
      [argument]: { type: 'string', minLength: 1, description: about },
      language: { type: 'string', enum: ['en', 'ar'], description: 'Language of the answer; en by default' },
    },
    required: [argument],
  }),
)

export function registerPrompts(server: McpServer): void {
  PROMPTS.forEach((prompt, i) => {
    const { name, title, description, argument } = prompt
    server.registerPrompt(name, { title, description, argsSchema: SCHEMAS[i] }, args => {
      const text = prompt[args.language === 'ar' ? 'ar' : 'en'](args[argument])
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
  })
}
