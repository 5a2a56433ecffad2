/** What the build wrote into dist/web, in its manifest.json: the build writes it, the server reads it. */

/** Made by the build, so that no request waits for a compressor; the better one first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

export const ENDING_OF: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

export const PAGES = ['en', 'ar', 'docs'] as const
export type PageName = (typeof PAGES)[number]

export interface StoredFile {
  /** Below dist/web. */
  name: string
  /** As HTTP tells it. */
  type: string
  /** Of its content, plain. */
  hash: string
  /** Whether it lies there plain as well; very large files do not. */
  isPlain: boolean
  codings: Coding[]
}

export interface Manifest {
  pages: Record<PageName, StoredFile>
  assets: StoredFile[]
}

export const MANIFEST = 'manifest.json'
/** Assets carry a hash of their content in their names, so that they never change. */
export const ASSETS_FOLDER = 'assets'
