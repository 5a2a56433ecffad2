/** Scripts and styles for browsers, out of their sources: bundled, small, with a hash of their content in their names. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { ASSETS_FOLDER } from '../../src/web/server/manifest.js'
import { parseWordForms, WORD_FORMS_FILE, type WordForms } from '../dataset/word-forms.js'

const HASH_CHARS = 10
/** Browsers from 2022 on. */
const TARGETS = ['chrome100', 'edge100', 'firefox100', 'safari15.4']

/** By its name below dist/web. */
export interface Made {
  name: string
  content: Uint8Array
}

/** How a page names it. */
export const addressOf = ({ name }: Made) => `/${name}`

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS)
}

export function hashed(file: string, content: Uint8Array, folder = ASSETS_FOLDER): Made {
  const ending = extname(file)
  return { name: `${folder}/${basename(file, ending)}-${hashOf(content)}${ending}`, content }
}

/** The word forms of the shipped dataset, by which pages mark what was searched for. */
function wordForms(root: string): WordForms {
  return parseWordForms(readFileSync(join(root, 'dataset', WORD_FORMS_FILE), 'utf8'), [])
}

/** What comes of one source: the file itself first, then what it refers to, such as a font or a part that is loaded later. */
export async function bundled(
  root: string,
  source: string,
  format: 'esm' | 'iife',
  define: Readonly<Record<string, string>> = {},
): Promise<Made[]> {
  const options = {
    absWorkingDir: root,
    entryPoints: [join('src/web', source)],
    outdir: 'out',
    entryNames: '[name]',
    assetNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    publicPath: `/${ASSETS_FOLDER}`,
    bundle: true,
    splitting: format === 'esm',
    minify: true,
    write: false,
    charset: 'utf8',
    legalComments: 'none',
    format,
    target: TARGETS,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.woff2': 'file' },
    define: { WORD_FORMS: JSON.stringify(JSON.stringify(wordForms(root))), ...define },
    logLevel: 'silent',
  } as const satisfies BuildOptions
  const { outputFiles } = await build(options)
  const isEntry = (path: string) => basename(path).split('.')[0] === basename(source).split('.')[0]
  const entry = outputFiles.find(({ path }) => isEntry(path))
  if (entry === undefined) throw new Error(`nothing came of src/web/${source}`)
  // names of referred files come from the bundler: the content has them already
  const others = outputFiles
    .filter(file => file !== entry)
    .map(({ path, contents }) => ({ name: `${ASSETS_FOLDER}/${basename(path)}`, content: contents }))
  return [hashed(basename(entry.path), entry.contents), ...others]
}

/** Of a script's parts the strings of a language, which it loads first of all, and what they import. */
export function stringsIn(lang: 'en' | 'ar', parts: readonly Made[]): Made[] {
  const found = parts.find(({ name }) => basename(name).startsWith(`strings-${lang}-`))
  if (found === undefined) throw new Error(`the bundle has no file with the strings of ${lang}`)
  return [found, ...importedAtOnce(found, parts)]
}

/** Of a script's parts those that it imports at once, so that a page can name them and nothing is fetched in turn. */
function importedAtOnce(script: Made, parts: readonly Made[]): Made[] {
  const text = Buffer.from(script.content).toString()
  return parts.filter(part => ['from', 'import'].some(word => text.includes(`${word}"${addressOf(part)}"`)))
}

export interface Bundle {
  script: Made
  /** Of the script: what it imports at once, and what it loads when a view needs it. */
  scriptParts: { atOnce: Made[]; later: Made[] }
  style: Made
  theme: Made
  font: Made
  icon: Made
  docs: Made
  docsStyle: Made
  contract: Made
  contractStyle: Made
  embedPage: Made
  embedStyle: Made
  viewer: Made
  viewerStyle: Made
  licences: Made
}

const { resolve } = createRequire(import.meta.url)
/** Where a browser would look for what is not served. */
const SOURCE_MAP = /\n?\/[/*]# sourceMappingURL=\S+(?: ?\*\/)?\n?/g

function viewerFile(file: string): Made {
  const text = readFileSync(resolve(`swagger-ui-dist/${file}`), 'utf8')
  return hashed(file, Buffer.from(text.replaceAll(SOURCE_MAP, '\n')))
}

/** Of what others made and we hand on, as their licences ask. */
function licences(): Made {
  const viewer = dirname(resolve('swagger-ui-dist/package.json'))
  const texts = [
    ['Cairo, the typeface of the pages in Arabic', resolve('@fontsource-variable/cairo/LICENSE')],
    ['Swagger UI, the viewer at /docs/api', join(viewer, 'LICENSE'), join(viewer, 'NOTICE')],
    ['Preact, which the pages are made with', join(dirname(resolve('preact/package.json')), 'LICENSE')],
    ['Preact Signals, which holds their state', join(dirname(resolve('@preact/signals')), '..', 'LICENSE')],
    ['fflate, which packs Excel files', join(dirname(resolve('fflate')), '..', 'LICENSE')],
    ['What Swagger UI contains', join(viewer, 'swagger-ui-bundle.js.LICENSE.txt')],
  ].map(([title, ...files]) => {
    const text = files.map(file => readFileSync(file, 'utf8').trim()).join('\n\n')
    return `${title}\n${'='.repeat((title as string).length)}\n\n${text}\n`
  })
  return hashed('licences.txt', Buffer.from(texts.join('\n\n')))
}

export async function bundle(root: string): Promise<Bundle> {
  const [
    [script, ...parts],
    [style, ...referred],
    [theme],
    [docs],
    [docsStyle],
    [contract],
    [contractStyle],
    [embedPage],
    [embedStyle],
  ] = await Promise.all([
    bundled(root, 'app/shell/main.ts', 'esm'),
    bundled(root, 'app/shell/styles.css', 'esm'),
    bundled(root, 'app/shell/theme.ts', 'iife'),
    bundled(root, 'app/docs/docs.ts', 'esm'),
    bundled(root, 'app/docs/docs.css', 'esm'),
    bundled(root, 'app/docs/contract.ts', 'esm'),
    bundled(root, 'app/docs/contract.css', 'esm'),
    bundled(root, 'embed/embed-page.ts', 'esm'),
    bundled(root, 'embed/embed.css', 'esm'),
  ])
  if (!script || !style || !theme || !docs || !docsStyle || !contract || !contractStyle || !embedPage || !embedStyle)
    throw new Error('a source gave nothing')
  const [font, ...others] = referred
  const atOnce = importedAtOnce(script, parts)
  if (font === undefined || others.length > 0) throw new Error('src/web/app/shell/styles.css must refer to one font')
  return {
    script,
    scriptParts: { atOnce, later: parts.filter(part => !atOnce.includes(part)) },
    style,
    theme,
    font,
    docs,
    docsStyle,
    contract,
    contractStyle,
    embedPage,
    embedStyle,
    icon: hashed('icon.svg', readFileSync(join(root, 'src/web/app/shell/icon.svg'))),
    viewer: viewerFile('swagger-ui-bundle.js'),
    viewerStyle: viewerFile('swagger-ui.css'),
    licences: licences(),
  }
}
