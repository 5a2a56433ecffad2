/** Stores files for the server, plain and compressed, with a manifest. The same sources give the same bytes. */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from '../../src/responses/preferences.js'
import { ENDING_OF, MANIFEST, type Manifest, type StoredFile } from '../../src/web/server/manifest.js'
import { hashOf, type Made } from './bundle.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}
/** Formats that are already compressed. */
const DENSE = ['.webp', '.png', '.woff2']
/**
 * Larger files are stored only compressed: every browser accepts that, and a smaller response takes less memory while a slow
 * client reads it.
 */
const PLAIN_BYTES_MAX = 512 * 1024

/** Quality for large files: the result is a tenth larger than at the best quality, in a twentieth of the time. */
const LARGE_QUALITY = 9

function qualityFor(size: number): number {
  return size > PLAIN_BYTES_MAX ? LARGE_QUALITY : constants.BROTLI_MAX_QUALITY
}

const compressors: Record<Coding, (content: Uint8Array) => Promise<Buffer>> = {
  br: content =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: qualityFor(content.length),
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gzip: content => promisify(gzip)(content, { level: 9 }),
}

export class Store {
  readonly #folder: string
  readonly #written = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  async add({ name, content }: Made): Promise<StoredFile> {
    const ending = extname(name)
    const type = TYPES[ending]
    if (type === undefined) throw new Error(`${name}: no content type is known for ${ending}`)
    const isPlain = content.length <= PLAIN_BYTES_MAX
    if (isPlain) await this.#write(name, async () => content)
    const codings: Coding[] = DENSE.includes(ending) ? [] : ['br', 'gzip']
    await Promise.all(codings.map(coding => this.#write(name + ENDING_OF[coding], () => compressors[coding](content))))
    return { name, type, hash: hashOf(content), isPlain, codings }
  }

  /** Writes the manifest last and deletes files that it does not name. */
  async finish(manifest: Manifest): Promise<void> {
    await this.#write(MANIFEST, async () => Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`))
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true })) {
      const name = relative(this.#folder, join(entry.parentPath, entry.name))
      if (entry.isFile() && !this.#written.has(name)) await rm(join(this.#folder, name))
    }
  }

  /** A name with a hash identifies its content, so a file that exists is kept. Compressing takes most of the build's time. */
  async #write(name: string, make: () => Promise<Uint8Array>): Promise<void> {
    const file = join(this.#folder, name)
    this.#written.add(name)
    if (dirname(name) !== '.' && existsSync(file)) return
    await mkdir(dirname(file), { recursive: true })
    // write and rename, so that an interrupted build leaves no incomplete file under a hashed name
    const half = `${file}.${process.pid}`
    await writeFile(half, await make())
    await rename(half, file)
  }
}
