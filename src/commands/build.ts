import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { checkCompilable, checkDataset } from '../../build/checks/check.js'
import { figures } from '../../build/checks/figures.js'
import { compile } from '../../build/compiler/compile.js'
import { compilerDigest } from '../../build/compiler/compiler-digest.js'
import { type DatasetFiles, parseDataset, readDataset, readFiles } from '../../build/dataset/read.js'
import { defaultDataDir } from '../data-home.js'
import { OperatorError } from '../errors.js'
import { keepReplaced, removeOld } from '../kept-snapshots.js'
import { isCheckout, packageRoot } from '../package-root.js'
import { readConfig } from '../settings/config.js'
import { COUNTRY_CODES } from '../snapshot/country-format.js'
import { type CompiledDocument, FORMAT_VERSION } from '../snapshot/format.js'
import { readDatasetDigest } from '../snapshot/load.js'
import { snapshotPieces, writeSnapshot } from '../snapshot/write.js'
import { pinnedId, shippedSnapshot, snapshotToBuild } from '../snapshot-in-use.js'
import { VERSION } from '../version.js'
import { compileLayers, type LayersToApply, readLayers } from './apply-layers.js'
import { type Command, flag, type Print, text, texts, type Values } from './command.js'
import { refuseDefects } from './defects.js'
import { progressBar } from './progress.js'

/**
 * Identifies dataset and compiler. In a checkout, the compiler is identified by a hash of its source, because its version may
 * not have changed.
 */
function sourceDigest({ digest }: DatasetFiles): Buffer {
  const hash = createHash('sha256').update(`${VERSION}\0${FORMAT_VERSION}\0`).update(digest)
  if (isCheckout()) hash.update(compilerDigest(packageRoot()))
  return hash.digest()
}

/** When each step of a build of the shipped dataset starts, as a share of the whole build time. */
const STEP_START = {
  reading: 0,
  checking: 0.08,
  records: 0.13,
  'search index': 0.2,
  classifier: 0.45,
  suggestions: 0.7,
  writing: 0.94,
} as const

/** Compile speed on a busy machine, for the duration that the command announces. */
const BYTES_PER_SECOND = 1_500_000

async function compileTo(
  out: Output,
  files: DatasetFiles,
  digest: Buffer,
  step: (name: keyof typeof STEP_START) => void,
): Promise<number> {
  step('reading')
  const dataset = parseDataset(files)
  step('checking')
  refuseDefects(files.directory, checkCompilable(dataset))
  const document = compile(dataset, step)
  step('writing')
  await write(out, document, digest)
  return document.meta.records
}

async function write(out: Output, document: CompiledDocument, digest: Buffer): Promise<void> {
  const { file, folderMode, keptIn } = out
  try {
    if (keptIn !== undefined) await keepReplaced(keptIn, file)
    await writeSnapshot(file, snapshotPieces(document, digest), folderMode)
    if (keptIn !== undefined) await removeOld(keptIn, file)
  } catch (error) {
    throw new OperatorError(`${file}: ${(error as Error).message}`)
  }
}

async function applyLayersTo(out: Output, layers: LayersToApply, print: Print): Promise<void> {
  const { document, digest } = await compileLayers(layers)
  await write(out, document, digest)
  const countries = document.meta.countries.map(({ code }) => code)
  print(
    `${out.file}: ${layers.base} with ${layers.layers.map(({ code }) => code).join(', ')}; countries: ${countries.join(', ')}`,
  )
  printUse(out, print)
}

function printUse({ isUsedByDefault, keptIn }: Output, print: Print): void {
  const pinned = keptIn === undefined ? undefined : pinnedId(keptIn)
  if (pinned !== undefined)
    print(`Servers and commands keep using snapshot ${pinned}, which is pinned; "hsapi snapshots use latest" unpins it.`)
  else if (isUsedByDefault)
    print('Commands use it now; servers use it after "hsapi reload" or a restart. Delete it to return to the shipped snapshot.')
}

/** Reads --dataset. The default is the program's own dataset, which only a checkout has. */
function datasetOf(values: Values): string {
  if (values.dataset === undefined && !isCheckout())
    throw new OperatorError(
      '--dataset is missing: the directory of a dataset, such as "hsapi import" writes; the dataset of the package is already compiled',
    )
  return shortPath(String(values.dataset ?? join(packageRoot(), 'dataset')))
}

/** Shortens a path inside the working directory to a relative one. */
function shortPath(path: string): string {
  const near = relative('.', path)
  return near.startsWith('..') || near === '' ? path : near
}

/** Whether a path leads to the shipped dataset, which only a checkout has. */
function isShippedDataset(directory: string): boolean {
  const shipped = join(packageRoot(), 'dataset')
  return isCheckout() && existsSync(directory) && realpathSync(directory) === realpathSync(shipped)
}

interface Output {
  file: string
  folderMode: number
  /** Whether the file replaces the snapshot that servers and commands use. */
  isUsedByDefault: boolean
  /** The data directory if the output replaces its snapshot, which is then kept there; otherwise undefined. */
  keptIn: string | undefined
}

function outputOf(values: Values, fromShippedDataset: boolean): Output {
  if (values.out !== undefined)
    return { file: shortPath(String(values.out)), folderMode: 0o755, isUsedByDefault: false, keptIn: undefined }
  const config = readConfig(process.env)
  const file = snapshotToBuild(config, fromShippedDataset)
  const isUsedByDefault = config.snapshot === undefined && !fromShippedDataset
  // the data directory also contains keys, so only its owner may open it
  const folderMode = relative(config.dataDir, dirname(file)) === '' ? 0o700 : 0o755
  return { file: shortPath(file), folderMode, isUsedByDefault, keptIn: isUsedByDefault ? config.dataDir : undefined }
}

/** Resolves symbolic links in the path of a file, which need not exist. */
function realPath(file: string): string {
  let folder = dirname(resolve(file))
  while (!existsSync(folder)) folder = dirname(folder)
  return join(realpathSync(folder), relative(folder, resolve(file)))
}

function refuseOutput({ file }: Output, fromShippedDataset: boolean, force: boolean): void {
  const place = realPath(file)
  if (place === realPath(shippedSnapshot()) && !fromShippedDataset)
    throw new OperatorError(
      `${file} is the shipped snapshot, which only a build of the shipped dataset may replace; choose another place with --out`,
    )
  const inPackage = relative(realpathSync(packageRoot()), place)
  if (isCheckout() || force || inPackage.startsWith('..') || isAbsolute(inPackage)) return
  throw new OperatorError(
    `${file} is inside the installed package, which the next installation replaces; choose another place with --out, or write there with --force`,
  )
}

const buildOut = (fromShipped: boolean) =>
  snapshotToBuild({ snapshot: undefined, dataDir: defaultDataDir(process.env) }, fromShipped)

const BUILD_OUT = `HSAPI_SNAPSHOT, else ${buildOut(false)}${
  isCheckout()
    ? `;
                 for the shipped dataset ${buildOut(true)}`
    : ''
}`

const BUILD_HELP = `Usage: hsapi build [--dataset DIR] [--out FILE] [--if-changed] [--force]
       hsapi build --base SNAPSHOT --layer COUNTRY=DIR [--layer …] [--out FILE] [--force]

Checks and compiles the dataset. If there are defects, each is listed with its file and line, and nothing is written.
The style rules of the shipped dataset are checked only by "hsapi check".

With --base, adds countries to a compiled snapshot instead; this needs no dataset. The layer replaces the snapshot's data of
that country, but taxes, fees and thresholds stay if DIR has no table of them. Everything else stays. A layer must follow the
rules of a dataset, and its codes must be in the snapshot.

  --dataset DIR  the dataset (the shipped one, which only a checkout has)
  --base FILE    the snapshot to add countries to
  --layer CC=DIR a country (${COUNTRY_CODES.join(', ')}) and the folder of its tables, as in dataset/countries/CC; its sources are in
                 sources.csv, in that folder or beside it. May be repeated
  --out FILE     the snapshot to write (${BUILD_OUT})
  --if-changed   do nothing if the snapshot was made from the same dataset by the same program
  --force        write even into the folder of an installed package, but never over the shipped snapshot`

export const buildCommand: Command = {
  help: BUILD_HELP,
  flags: { dataset: text, base: text, layer: texts, out: text, 'if-changed': flag, force: flag },
  run: async (values, _words, print) => {
    const layers = await readLayers(values)
    const directory = layers === undefined ? datasetOf(values) : ''
    const fromShippedDataset = layers === undefined && isShippedDataset(directory)
    const out = outputOf(values, fromShippedDataset)
    refuseOutput(out, fromShippedDataset, values.force === true)
    if (layers !== undefined) return applyLayersTo(out, layers, print)
    const files = await readFiles(directory)
    const digest = sourceDigest(files)
    if (values['if-changed'] === true && (await readDatasetDigest(out.file))?.equals(digest))
      return print(`${out.file} is up to date`)
    const bytes = files.files.reduce((sum, file) => sum + file.bytes.length, 0)
    print(`${out.file}: compiling ${directory}, about ${Math.ceil(bytes / BYTES_PER_SECOND)} s`)
    const bar = progressBar(out.file)
    const step = (name: keyof typeof STEP_START) =>
      process.stderr.isTTY ? bar.draw(STEP_START[name], name) : print(`${out.file}: ${name}`)
    const records = await compileTo(out, files, digest, step).finally(bar.clear)
    print(`${out.file}: ${records} records`)
    printUse(out, print)
  },
}

const CHECK_HELP = `Usage: hsapi check [--dataset DIR]

Lists every defect of a dataset with its file and line. Exit code 2 if there is one.

  --dataset DIR  the dataset (the shipped one, which only a checkout has)`

export const checkCommand: Command = {
  help: CHECK_HELP,
  flags: { dataset: text },
  run: async (values, _words, print) => {
    const directory = datasetOf(values)
    const dataset = await readDataset(directory)
    refuseDefects(directory, checkDataset(dataset))
    print(`${directory}: no defects`)
    for (const line of figures(dataset)) print(line)
  },
}
