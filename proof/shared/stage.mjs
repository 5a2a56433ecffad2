/** A temporary folder with a snapshot, its codes and an empty data folder. Removed when the process ends. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mustRun, ROOT } from './program.mjs'

const SHIPPED_DATASET = join(ROOT, 'dataset')
const SHIPPED_SNAPSHOT = join(ROOT, 'dist', 'hs.snapshot')

export const DATASET_HELP = `  --dataset DIR   a dataset to compile and serve (the shipped one, from dist/hs.snapshot)`

export class Stage {
  directory = mkdtempSync(join(tmpdir(), 'hsapi-proof-'))
  dataset
  snapshot
  codes

  /** @param {string | undefined} dataset its folder; by default the shipped one */
  static async open(dataset) {
    const stage = new Stage()
    process.on('exit', () => rmSync(stage.directory, { recursive: true, force: true }))
    stage.dataset = dataset ?? SHIPPED_DATASET
    stage.snapshot = dataset === undefined ? SHIPPED_SNAPSHOT : await stage.compile(dataset, 'hs.snapshot')
    stage.codes = readdirSync(join(stage.dataset, 'chapters')).flatMap(name =>
      readFileSync(join(stage.dataset, 'chapters', name), 'utf8')
        .split('\n')
        .map(line => /^(\d{2,14}),/.exec(line)?.[1])
        .filter(code => code !== undefined),
    )
    return stage
  }

  path(name) {
    return join(this.directory, name)
  }

  async compile(dataset, name) {
    await mustRun(['build', '--dataset', dataset, '--out', this.path(name)])
    return this.path(name)
  }

  /** The environment of a server whose data folder has this name. */
  env(name = 'data') {
    return { HSAPI_DATA_DIR: this.path(name), HSAPI_SNAPSHOT: this.snapshot }
  }
}

/** Phrases in both scripts, as people type them. */
export function phrases() {
  const lines = readFileSync(join(ROOT, 'bench', 'relevance', 'phrases.tsv'), 'utf8')
    .trim()
    .split('\n')
  return lines.slice(1).map(line => line.split('\t')[1])
}
