/** Builds the web pages from src/web, docs and their assets, and writes them to dist/web. */
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.js'
import { contractShell } from '../../src/web/app/docs/contract-shell.js'
import { shell } from '../../src/web/app/shell/shell.js'
import { embedShell } from '../../src/web/embed/embed-shell.js'
import type { PageName, StoredFile, Translated } from '../../src/web/server/manifest.js'
import { addAdmin } from './admin.js'
import { makeApp, makeEmbed, makeWorker } from './app.js'
import { addressOf, bundle, type Made, stringsIn } from './bundle.js'
import { makeDocs } from './docs.js'
import { Store } from './store.js'

const { scriptParts, ...made } = await bundle(packageRoot())
const app = makeApp(packageRoot(), made.icon)
const common = {
  app: app.head,
  theme: addressOf(made.theme),
  font: addressOf(made.font),
  icon: addressOf(made.icon),
}
const style = addressOf(made.style)
const assetsIn = (lang: 'en' | 'ar') => ({
  ...common,
  script: addressOf(made.script),
  parts: [...scriptParts.atOnce, ...stringsIn(lang, scriptParts.later)].map(addressOf),
  styles: [style],
})
const contract = contractShell({
  ...common,
  script: addressOf(made.contract),
  style: addressOf(made.contractStyle),
  viewer: addressOf(made.viewer),
  viewerStyle: addressOf(made.viewerStyle),
  licences: addressOf(made.licences),
})
const docs = makeDocs(join(packageRoot(), 'docs'), {
  ...common,
  script: addressOf(made.docs),
  styles: [style, addressOf(made.docsStyle)],
})

const embedAssets = {
  ...common,
  script: addressOf(made.embedPage),
  styles: [style, addressOf(made.docsStyle), addressOf(made.embedStyle)],
}
const documents = { en: shell('en', assetsIn('en')), ar: shell('ar', assetsIn('ar')) }
const { script, theme, font, icon } = made
const offline = [script, ...scriptParts.atOnce, ...scriptParts.later, made.style, theme, font, icon]

const [folder = join(packageRoot(), 'dist', 'web')] = process.argv.slice(2)
const store = new Store(folder)
const page = (name: string, html: string): Promise<StoredFile> => store.add({ name, content: Buffer.from(html) })
const both = async ({ en, ar }: Translated<Made>) => ({ en: await store.add(en), ar: await store.add(ar) })
const pages: Record<PageName, StoredFile> = {
  en: await page('index.en.html', documents.en),
  ar: await page('index.ar.html', documents.ar),
  contract: await page('contract.html', contract),
}
await store.finish({
  pages,
  admin: await addAdmin(packageRoot(), made, store),
  app: {
    worker: await store.add(await makeWorker(packageRoot(), offline, documents)),
    embed: await store.add(await makeEmbed(packageRoot())),
    example: {
      en: await page('embed.en.html', embedShell('en', embedAssets)),
      ar: await page('embed.ar.html', embedShell('ar', embedAssets)),
    },
  },
  docsIndex: await both(docs.index),
  docs: await Promise.all(docs.docs.map(async doc => ({ name: doc.name, ...(await both(doc)) }))),
  assets: await Promise.all(
    [...Object.values(made), ...scriptParts.atOnce, ...scriptParts.later, ...docs.assets, ...app.assets].map(file =>
      store.add(file),
    ),
  ),
})
