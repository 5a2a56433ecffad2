/** Renders a Markdown page: HTML that fits our content security policy and styles, and plain text for the search. */
import { Marked, type Token, type Tokens } from 'marked'
import type { DocText } from '../../src/web/app/docs/docs-shell.js'
import type { IndexedPage } from '../../src/web/app/docs/index-file.js'
import { escaped } from '../../src/web/app/shell/frame.js'
import type { Language } from '../../src/web/app/text/strings.js'
import { type DocLinks, resolveLink } from './doc-links.js'

export interface RenderedDoc extends DocText {
  sections: IndexedPage['sections']
}

/** The readable text, without code blocks. */
function plainText(token: Token): string {
  if (token.type === 'code' || token.type === 'html' || token.type === 'space') return ''
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ')
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap(cells => cells.map(({ tokens }) => textOf(tokens))).join(' ')
  }
  if (token.type === 'br') return ' '
  if ('tokens' in token && token.tokens !== undefined) {
    const isBlock = token.tokens.some(({ type }) => type === 'paragraph' || type === 'list')
    return token.tokens.map(plainText).join(isBlock ? ' ' : '')
  }
  return 'text' in token ? String(token.text) : ''
}

const textOf = (tokens: readonly Token[]) => tokens.map(plainText).join('')
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/**
 * The same anchors as on GitHub, so that links also work there: letters, digits, hyphens and underscores. A repeated anchor
 * gets a number.
 */
function anchorsOf(headings: readonly Tokens.Heading[]): Map<Token, string> {
  const anchors = new Map<Token, string>()
  const taken = new Set<string>()
  for (const heading of headings) {
    const slug = textOf(heading.tokens)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    let anchor = slug
    for (let n = 1; taken.has(anchor); n++) anchor = `${slug}-${n}`
    taken.add(anchor)
    anchors.set(heading, anchor)
  }
  return anchors
}

/** Sections of these pages have moved to separate pages. */
const SPLIT_PAGES = ['api.md', 'operations.md']

/** Gives the first link to each moved section the section's former anchor, so that old bookmarks lead to that link. */
function movedAnchors(file: string, anchors: ReadonlyMap<Token, string>): (href: string) => string {
  if (!SPLIT_PAGES.includes(file)) return () => ''
  const taken = new Set(anchors.values())
  return href => {
    const [, anchor] = href.split('.md#')
    if (anchor === undefined || taken.has(anchor)) return ''
    taken.add(anchor)
    return ` id="${escaped(anchor)}"`
  }
}

/** Raw HTML is shown as text, without its comments. */
function withoutComments(html: string): string {
  const [first = '', ...rest] = html.split('<!--')
  return first + rest.map(part => part.split('-->').slice(1).join('-->')).join('')
}

function rendererFor(file: string, links: DocLinks, anchors: ReadonlyMap<Token, string>): Marked {
  const marked = new Marked()
  const movedAnchor = movedAnchors(file, anchors)
  marked.use({
    renderer: {
      heading(token) {
        const { depth, tokens } = token
        const text = this.parser.parseInline(tokens)
        const anchor = escaped(anchors.get(token) ?? '')
        // a link must not contain a link
        const isLinked = depth > 1 && !text.includes('<a ')
        const content = isLinked ? `<a href="#${anchor}">${text}</a>` : text
        return `<h${depth} id="${anchor}">${content}</h${depth}>\n`
      },
      code: ({ text, lang = '' }) => {
        const kind = lang === '' ? '' : ` class="language-${escaped(lang)}"`
        return `<div class="sample" dir="ltr"><pre${kind}><code>${escaped(text)}\n</code></pre></div>\n`
      },
      codespan: ({ text }) => `<code dir="ltr">${escaped(text)}</code>`,
      html: ({ text, block }) => {
        const shown = withoutComments(text)
        if (!block) return escaped(shown)
        return shown.trim() === '' ? '' : `<p>${escaped(shown.trim())}</p>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const address = resolveLink(links, href)
        return address === undefined ? text : `<a${movedAnchor(href)} href="${escaped(address)}">${text}</a>`
      },
      image: ({ href, text }) => {
        const address = links.images.get(href)
        return address === undefined ? escaped(text) : `<img src="${escaped(address)}" alt="${escaped(text)}">`
      },
      table({ header, rows }) {
        const row = (cells: string[]) => `<tr>${cells.join('')}</tr>\n`
        const cell = (tag: string, { tokens, align }: Tokens.TableCell) =>
          `<${tag}${align === 'right' ? ' class="end"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`
        // an empty header is a `td`, because screen readers would announce an empty `th`
        const head = header.some(({ text }) => text !== '')
          ? `<thead>\n${row(header.map(one => cell(one.text === '' ? 'td' : 'th', one)))}</thead>\n`
          : ''
        const body = rows.map(cells => row(cells.map(one => cell('td', one)))).join('')
        return `<div class="wide"><table>\n${head}<tbody>\n${body}</tbody>\n</table></div>\n`
      },
    },
  })
  return marked
}

/** `file`: the name in docs, such as `cli.ar.md`. */
export function renderDoc(file: string, markdown: string, lang: Language, links: DocLinks): RenderedDoc {
  const tokens = new Marked().lexer(markdown)
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  const anchors = anchorsOf(headings)
  const anchorOf = (token: Token) => anchors.get(token) as string
  const [title] = headings
  if (title === undefined || title.depth !== 1) throw new Error(`docs/${file} must begin with a title`)
  const opening = tokens.find(({ type }) => type === 'paragraph')
  const [summary = ''] = oneLine(opening === undefined ? '' : plainText(opening)).split(/(?<=\.) /)

  const sections: [string, string, string][] = [['', '', '']]
  for (const token of tokens) {
    if (token === title) continue
    const section = sections.at(-1) as [string, string, string]
    if (token.type === 'heading') sections.push([anchorOf(token), oneLine(plainText(token)), ''])
    else section[2] = oneLine(`${section[2]} ${plainText(token)}`)
  }
  return {
    lang,
    title: oneLine(plainText(title)),
    summary,
    html: rendererFor(file, links, anchors).parser(tokens),
    headings: headings
      .filter(({ depth }) => depth === 2)
      .map(token => ({ anchor: anchorOf(token), text: oneLine(plainText(token)) })),
    sections,
  }
}
