/** Writes a dataset or layer directory completely or not at all. */

import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { chapterOf } from '../../src/codes/levels.js'
import { OperatorError } from '../../src/errors.js'
import { makeDirectory, syncDirectory } from '../../src/files/atomic-file.js'
import { csvCells } from '../../src/tables/csv-text.js'
import type { Manifest } from '../dataset/manifest.js'
import { COLUMNS } from '../dataset/rows.js'
import type { Entry } from './layout.js'

/** Rows joined in memory before each write: a whole chapter may exceed the maximum length of a string. */
const ROWS_PER_WRITE = 10_000

function keywords(context: string[]): string {
  return [...new Set(context.map(text => text.replaceAll(';', ',')))].join('; ')
}

function csvLine(entry: Entry): string {
  // keep the words of groups without a code for the search
  const cells = [entry.code, entry.en, entry.ar, entry.rate, '', keywords(entry.contextEn), keywords(entry.contextAr)]
  return `${csvCells(cells)}\n`
}

async function writeSynced(path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await open(path, 'wx')
  try {
    await write(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function writeChapter(path: string, entries: Entry[]): Promise<void> {
  return writeSynced(path, async handle => {
    await handle.appendFile(`${COLUMNS.join(',')}\n`)
    for (let from = 0; from < entries.length; from += ROWS_PER_WRITE)
      await handle.appendFile(
        entries
          .slice(from, from + ROWS_PER_WRITE)
          .map(csvLine)
          .join(''),
      )
  })
}

function groupByChapter(entries: Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const chapter = chapterOf(entry.code)
    const group = groups.get(chapter)
    if (group === undefined) groups.set(chapter, [entry])
    else group.push(entry)
  }
  return groups
}

/** Refuses a target that is not empty; returns whether it exists. Called before reading a long file. */
export async function requireEmptyTarget(out: string): Promise<boolean> {
  let existing: string[]
  try {
    existing = await readdir(resolve(out))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw new OperatorError(`--out ${out}: ${message}; name a directory that does not exist yet`)
  }
  if (existing.length === 0) return true
  throw new OperatorError(`--out ${out}: the directory exists and is not empty; remove it or choose another`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes temporary directories of imports to this target that were killed; their names contain the process id. */
async function removeLeftovers(target: string): Promise<void> {
  const begins = `.${basename(target)}.`
  for (const name of await readdir(dirname(target))) {
    const pid = name.startsWith(begins) ? /^([0-9]+)\.tmp-\w+$/.exec(name.slice(begins.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(dirname(target), name), { recursive: true, force: true })
  }
}

/** `tables`: texts of files other than the chapters, by name. */
export function writeDataset(
  out: string,
  manifest: Manifest,
  entries: Entry[],
  tables: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  return replaceDirectory(out, async directory => {
    const chapters = join(directory, 'chapters')
    await mkdir(chapters)
    for (const [chapter, rows] of groupByChapter(entries)) await writeChapter(join(chapters, `${chapter}.csv`), rows)
    await syncDirectory(chapters)
    await writeTexts(directory, new Map([['manifest.json', `${JSON.stringify(manifest, null, 2)}\n`], ...tables]))
  })
}

/** `files`: texts by file name. */
export function writeLayer(out: string, files: ReadonlyMap<string, string>): Promise<void> {
  return replaceDirectory(out, directory => writeTexts(directory, files))
}

async function writeTexts(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) await writeSynced(join(directory, name), handle => handle.appendFile(text))
}

/** Writes to a directory next to the target, syncs it to disk, and renames it to the target. */
async function replaceDirectory(out: string, fill: (directory: string) => Promise<void>): Promise<void> {
  const target = resolve(out)
  let temporary: string | undefined
  try {
    await makeDirectory(dirname(target))
    await removeLeftovers(target)
    temporary = await mkdtemp(join(dirname(target), `.${basename(target)}.${process.pid}.tmp-`))
    await fill(temporary)
    await syncDirectory(temporary)
    // not recursively: another process may have put files there since the check
    if (await requireEmptyTarget(out)) await rmdir(target)
    await rename(temporary, target)
    await syncDirectory(dirname(target))
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
    throw error instanceof OperatorError ? error : new OperatorError(`--out ${out}: ${(error as Error).message}`)
  }
}
