/** The files that the build made for browsers, read once and held in memory. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Coding, ENDING_OF, MANIFEST, type Manifest, PAGES, type PageName, type StoredFile } from './manifest.js'

export interface SiteFile {
  /** Below the site's folder. */
  name: string
  type: string
  hash: string
  plain: Uint8Array | undefined
  coded: Partial<Record<Coding, Uint8Array>>
}

/** What threads hand to each other; with `shared` the bytes are there once for all of them. */
export interface Site {
  pages: Record<PageName, SiteFile>
  assets: SiteFile[]
}

function held(bytes: Uint8Array, shared: boolean): Uint8Array {
  if (!shared) return bytes
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

async function readStored(folder: string, file: StoredFile, shared: boolean): Promise<SiteFile> {
  const read = async (ending = '') => held(await readFile(join(folder, file.name + ending)), shared)
  const coded: SiteFile['coded'] = {}
  for (const coding of file.codings) coded[coding] = await read(ENDING_OF[coding])
  return {
    name: file.name,
    type: file.type,
    hash: file.hash,
    plain: file.isPlain ? await read() : undefined,
    coded,
  }
}

/** Rejects where the folder is not there or not whole. */
export async function readSite(folder: string, shared: boolean): Promise<Site> {
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
  const pages = await Promise.all(PAGES.map(page => readStored(folder, manifest.pages[page], shared)))
  const [en, ar, docs] = pages as [SiteFile, SiteFile, SiteFile]
  const assets = await Promise.all(manifest.assets.map(asset => readStored(folder, asset, shared)))
  return { pages: { en, ar, docs }, assets }
}
