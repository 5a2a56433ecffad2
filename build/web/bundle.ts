/** Bundles and minifies scripts and styles for browsers, with a content hash in each name. */
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

/** `name` is the path below dist/web. */
export interface Made {
  name: string
  content: Uint8Array
}

/** The address of a file in a page. */
export const addressOf = ({ name }: Made) => `/${name}`

export function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS)
}

export function hashed(file: string, content: Uint8Array, folder = ASSETS_FOLDER): Made {
  const ending = extname(file)
  return { name: `${folder}/${basename(file, ending)}-${hashOf(content)}${ending}`, content }
}

/** The word forms of the shipped dataset, which pages use to highlight matches. */
function wordForms(root: string): WordForms {
  return parseWordForms(readFileSync(join(root, 'dataset', WORD_FORMS_FILE), 'utf8'), [])
}

/** The output of one source: the entry file first, then the files that it refers to, such as fonts and parts loaded later. */
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
  if (entry === undefined) throw new Error(`bundling src/web/${source} gave no files`)
  // the bundler has already named these files, and the content refers to them by these names
  const others = outputFiles
    .filter(file => file !== entry)
    .map(({ path, contents }) => ({ name: `${ASSETS_FOLDER}/${basename(path)}`, content: contents }))
  return [hashed(basename(entry.path), entry.contents), ...others]
}

/** The file with a language's strings, which the script loads first, and the files that it imports. */
export function stringsIn(lang: 'en' | 'ar', parts: readonly Made[]): Made[] {
  const found = parts.find(({ name }) => basename(name).startsWith(`strings-${lang}-`))
  if (found === undefined) throw new Error(`the bundle has no file with the strings of ${lang}`)
  return [found, ...importedAtOnce(found, parts)]
}

/** The parts that a script imports statically. Pages preload them, so that the browser does not fetch one after another. */
function importedAtOnce(script: Made, parts: readonly Made[]): Made[] {
  const text = Buffer.from(script.content).toString()
  return parts.filter(part => ['from', 'import'].some(word => text.includes(`${word}"${addressOf(part)}"`)))
}

export interface Bundle {
  script: Made
  /** Parts that the script imports statically, and parts that it loads when a view needs them. */
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
/** References to source maps. They are removed, because the maps are not served. */
const SOURCE_MAP = /\n?\/[/*]# sourceMappingURL=\S+(?: ?\*\/)?\n?/g

function viewerFile(file: string): Made {
  const text = readFileSync(resolve(`swagger-ui-dist/${file}`), 'utf8')
  return hashed(file, Buffer.from(text.replaceAll(SOURCE_MAP, '\n')))
}

/** Licence texts of third-party files that we serve, as the licences require. */
function licences(): Made {
  const viewer = dirname(resolve('swagger-ui-dist/package.json'))
  const texts = [
    ['Cairo, the typeface of the pages in Arabic', resolve('@fontsource-variable/cairo/LICENSE')],
    ['Swagger UI, the viewer at /docs/api', join(viewer, 'LICENSE'), join(viewer, 'NOTICE')],
    ['Preact, which the pages are made with', join(dirname(resolve('preact/package.json')), 'LICENSE')],
    ['Preact Signals, which holds their state', join(dirname(resolve('@preact/signals')), '..', 'LICENSE')],
    ['fflate, which packs Excel files', join(dirname(resolve('fflate')), '..', 'LICENSE')],
    ['Third-party code in Swagger UI', join(viewer, 'swagger-ui-bundle.js.LICENSE.txt')],
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
    throw new Error('bundling a source gave no files')
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
