/** The manifest.json of dist/web, which the build writes and the server reads. */
import type { Coding } from '../../responses/preferences.js'

export const ENDING_OF: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

export const PAGES = ['en', 'ar', 'contract'] as const
export type PageName = (typeof PAGES)[number]

export interface StoredFile {
  /** Path relative to dist/web. */
  name: string
  /** Content-Type. */
  type: string
  /** Hash of the uncompressed content. */
  hash: string
  /** Whether the file is also stored uncompressed. */
  isPlain: boolean
  codings: Coding[]
}

export interface Translated<File> {
  en: File
  ar: File
}

/** A page of the documentation; `name` is the last part of its address. */
export interface DocPage<File> extends Translated<File> {
  name: string
}

/** Files that are served at addresses without a hash. */
export interface AppFiles<File> {
  worker: File
  /** The search box for other sites. */
  embed: File
  /** The example page of the search box. */
  example: Translated<File>
}

export interface Manifest {
  pages: Record<PageName, StoredFile>
  app: AppFiles<StoredFile>
  docsIndex: Translated<StoredFile>
  docs: DocPage<StoredFile>[]
  assets: StoredFile[]
  /** The page of the admin port, with all files that it loads. */
  admin: Translated<StoredFile> & { assets: StoredFile[] }
}

export const MANIFEST = 'manifest.json'
/** Names in this folder contain a content hash, so the files never change. */
export const ASSETS_FOLDER = 'assets'
