/** The pages for people, built: src/web/page and what it needs → dist/web. */
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.js'
import type { PageName, StoredFile } from '../../src/web/manifest.js'
import { docsShell } from '../../src/web/page/docs-shell.js'
import { shell } from '../../src/web/page/shell.js'
import { addressOf, bundle } from './bundle.js'
import { Store } from './store.js'

const made = await bundle(packageRoot())
const assets = {
  script: addressOf(made.script),
  style: addressOf(made.style),
  theme: addressOf(made.theme),
  font: addressOf(made.font),
  icon: addressOf(made.icon),
  licences: addressOf(made.licences),
}
const docs = docsShell({
  ...assets,
  script: addressOf(made.docs),
  style: addressOf(made.docsStyle),
  viewer: addressOf(made.viewer),
  viewerStyle: addressOf(made.viewerStyle),
})

const [folder = join(packageRoot(), 'dist', 'web')] = process.argv.slice(2)
const store = new Store(folder)
const page = (name: string, html: string): Promise<StoredFile> => store.add({ name, content: Buffer.from(html) })
const pages: Record<PageName, StoredFile> = {
  en: await page('index.en.html', shell('en', assets)),
  ar: await page('index.ar.html', shell('ar', assets)),
  docs: await page('docs.html', docs),
}
await store.finish({ pages, assets: await Promise.all(Object.values(made).map(file => store.add(file))) })
