/** Files to install the pages as an app and to embed the search box: manifests, icons, the service worker, the box. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appManifest } from '../../src/web/app/shell/app-manifest.js'
import type { FrameAssets } from '../../src/web/app/shell/frame.js'
import type { Translated } from '../../src/web/server/manifest.js'
import { addressOf, bundled, hashed, hashOf, type Made } from './bundle.js'

/** A browser drew the PNGs from icon.svg. The touch icon and the maskable icon fill the whole square. */
const ICONS = ['app-192.png', 'app-512.png', 'app-maskable-512.png', 'touch-180.png'] as const

export interface App {
  /** Addresses for the head of every document. */
  head: FrameAssets['app']
  assets: Made[]
}

export function makeApp(root: string, icon: Made): App {
  const [small, large, maskable, touch] = ICONS.map(file =>
    hashed(file, readFileSync(join(root, 'src/web/app/shell/icons', file))),
  ) as [Made, Made, Made, Made]
  const manifestIn = (lang: 'en' | 'ar') => {
    const icons = { small: addressOf(small), large: addressOf(large), maskable: addressOf(maskable), vector: addressOf(icon) }
    return hashed(`app-${lang}.webmanifest`, Buffer.from(appManifest(lang, icons)))
  }
  const [en, ar] = [manifestIn('en'), manifestIn('ar')]
  return {
    head: { manifest: { en: addressOf(en), ar: addressOf(ar) }, touchIcon: addressOf(touch) },
    assets: [small, large, maskable, touch, en, ar],
  }
}

/** The worker's bytes change with every file that it caches and with the documents, so that browsers notice a new release. */
export async function makeWorker(root: string, files: readonly Made[], documents: Translated<string>): Promise<Made> {
  const names = files.map(addressOf)
  const version = hashOf(Buffer.from([...names, documents.en, documents.ar].join('\n')))
  const [worker] = await bundled(root, 'app/shell/worker.ts', 'iife', { SHELL: JSON.stringify({ version, files: names }) })
  return { name: 'worker.js', content: (worker as Made).content }
}

/** The address never changes, because other sites link to it. */
export async function makeEmbed(root: string): Promise<Made> {
  const [script] = await bundled(root, 'embed/hsapi-search.ts', 'iife')
  return { name: 'hsapi-search.js', content: (script as Made).content }
}
