/** Builds the admin page separately from the other pages, because the public port must not serve it. */

import { adminShell } from '../../src/web/admin/admin-shell.js'
import type { Manifest } from '../../src/web/server/manifest.js'
import { addressOf, type Bundle, bundled, type Made } from './bundle.js'
import type { Store } from './store.js'

export async function addAdmin(
  root: string,
  { style, theme, font, icon }: Pick<Bundle, 'style' | 'theme' | 'font' | 'icon'>,
  store: Store,
): Promise<Manifest['admin']> {
  const [[script], [own]] = await Promise.all([bundled(root, 'admin/admin.tsx', 'esm'), bundled(root, 'admin/admin.css', 'esm')])
  if (script === undefined || own === undefined) throw new Error('bundling src/web/admin gave no files')
  const assets = {
    script: addressOf(script),
    styles: [style, own].map(addressOf),
    theme: addressOf(theme),
    font: addressOf(font),
    icon: addressOf(icon),
  }
  const page = (lang: 'en' | 'ar') => store.add({ name: `admin.${lang}.html`, content: Buffer.from(adminShell(lang, assets)) })
  const files: Made[] = [script, own, style, theme, font, icon]
  return { en: await page('en'), ar: await page('ar'), assets: await Promise.all(files.map(file => store.add(file))) }
}
