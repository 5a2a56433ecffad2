/** Reads the built pages into memory. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DocumentFile } from '../../responses/document.js'
import {
  type AppFiles,
  type DocPage,
  ENDING_OF,
  MANIFEST,
  type Manifest,
  PAGES,
  type PageName,
  type StoredFile,
  type Translated,
} from './manifest.js'

export interface SiteFile extends DocumentFile {
  name: string
}

export interface Site {
  pages: Record<PageName, SiteFile>
  app: AppFiles<SiteFile>
  docsIndex: Translated<SiteFile>
  docs: DocPage<SiteFile>[]
  assets: SiteFile[]
}

function toShared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

export async function readStored(
  folder: string,
  { name, type, hash, ...file }: StoredFile,
  isShared: boolean,
): Promise<SiteFile> {
  const read = async (ending = '') => {
    const bytes = await readFile(join(folder, name + ending))
    return isShared ? toShared(bytes) : bytes
  }
  const coded: SiteFile['coded'] = {}
  for (const coding of file.codings) coded[coding] = await read(ENDING_OF[coding])
  return { name, type, hash, plain: file.isPlain ? await read() : undefined, coded }
}

/** `isShared` puts the bytes into memory that all threads share. Rejects if a file is missing. */
export async function readSite(folder: string, isShared: boolean): Promise<Site> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
  const read = (file: StoredFile) => readStored(folder, file, isShared)
  const pages = await Promise.all(PAGES.map(page => read(manifest.pages[page])))
  const [en, ar, contract] = pages as [SiteFile, SiteFile, SiteFile]
  const readBoth = async ({ en, ar }: Translated<StoredFile>) => ({ en: await read(en), ar: await read(ar) })
  return {
    pages: { en, ar, contract },
    app: {
      worker: await read(manifest.app.worker),
      embed: await read(manifest.app.embed),
      example: await readBoth(manifest.app.example),
    },
    docsIndex: await readBoth(manifest.docsIndex),
    docs: await Promise.all(manifest.docs.map(async doc => ({ name: doc.name, ...(await readBoth(doc)) }))),
    assets: await Promise.all(manifest.assets.map(read)),
  }
}
