/** Reads one country folder, to apply it to a compiled snapshot. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../../src/errors.js'
import type { CountryCode } from '../../../src/snapshot/country-format.js'
import type { Defect } from '../defect.js'
import { type Layer, parseLayer, problemInLayer } from './layers.js'
import { parseSources, SOURCES_FILE } from './sources.js'

/** The sources that all country folders of a dataset share. */
const SHARED_SOURCES = `../${SOURCES_FILE}`
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface LayerFiles {
  code: CountryCode
  directory: string
  files: { name: string; bytes: Uint8Array }[]
  /** SHA-256 over the country, and the names and bytes of all files. */
  digest: Buffer
}

export async function readLayerFiles(code: CountryCode, directory: string): Promise<LayerFiles> {
  const files: LayerFiles['files'] = []
  const hash = createHash('sha256').update(`${code}\0`)
  try {
    const names = (await readdir(directory)).filter(name => name.endsWith('.csv') || name.endsWith('.json')).sort()
    if (!names.includes(SOURCES_FILE) && (await readdir(join(directory, '..'))).includes(SOURCES_FILE)) names.push(SHARED_SOURCES)
    for (const name of names) {
      const bytes = await readFile(join(directory, name))
      hash.update(`${name}\0${bytes.length}\0`).update(bytes)
      files.push({ name, bytes })
    }
  } catch (error) {
    throw new OperatorError(`${directory}: no country layer can be read here: ${(error as Error).message}`)
  }
  return { code, directory, files, digest: hash.digest() }
}

export function parseLayerFiles({ code, files }: LayerFiles): { layer: Layer; defects: Defect[] } {
  const defects: Defect[] = []
  const textOf = (name: string): string | undefined => {
    const file = files.find(one => one.name === name)
    if (file === undefined) return undefined
    try {
      return UTF8.decode(file.bytes)
    } catch {
      defects.push({ file: name, line: 1, message: 'the file is not valid UTF-8' })
      return ''
    }
  }
  for (const { name } of files) {
    const problem = name === SHARED_SOURCES ? undefined : problemInLayer(name)
    if (problem !== undefined) defects.push({ file: name, line: 1, message: problem })
  }
  const shared = textOf(SHARED_SOURCES)
  const sources = shared === undefined ? [] : parseSources(shared, SHARED_SOURCES, defects)
  return { layer: parseLayer(code, '', textOf, sources, defects), defects }
}
