/** The library bundled into a program for Node, such as a cloud function, and run without the package. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { ROOT } from '../support/cli.js'
import { compiledBytes, FIXTURE, temporaryDirectory } from '../support/service.js'

const bytes = await compiledBytes(FIXTURE)

const PROGRAM = `
import { readFileSync } from 'node:fs'
import { CatalogError, openCatalog } from 'hsapi'

async function main() {
  const file = process.argv[2]
  const fromFile = await openCatalog({ snapshot: file })
  const fromBytes = await openCatalog({ snapshot: readFileSync(file) })
  const words = [fromFile, fromBytes].map(hs => hs.lookup('851713').description.en)
  const missing = await openCatalog().catch(error => error instanceof CatalogError && error.message)
  process.env.HSAPI_SNAPSHOT = file
  const named = await openCatalog()
  console.log(JSON.stringify([words, [fromFile, fromBytes, named].map(hs => hs.source), missing]))
}
void main()
`

/** Runs the bundle in a folder that contains nothing else, and returns its output. */
async function bundledRun(t: Test, format: 'esm' | 'cjs', extension: string) {
  const home = temporaryDirectory(t)
  const folder = join(home, 'function')
  mkdirSync(folder)
  const bundle = join(folder, `index.${extension}`)
  const { warnings } = await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT },
    bundle: true,
    format,
    platform: 'node',
    target: 'node20',
    outfile: bundle,
    logLevel: 'silent',
  })
  const snapshot = join(home, 'my.snapshot')
  writeFileSync(snapshot, bytes)
  const env = { PATH: process.env.PATH ?? '', HOME: home }
  const { stdout, stderr } = spawnSync(process.execPath, [bundle, snapshot], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { stdout, stderr, snapshot, warnings: warnings.map(({ text }) => text) }
}

for (const [format, extension] of [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] as const) {
  t.test(`a bundle for Node (${format}) answers from a file and from bytes, without the package`, async t => {
    const { stdout, stderr, snapshot, warnings } = await bundledRun(t, format, extension)
    t.equal(stderr, '')
    const [words, sources, missing] = JSON.parse(stdout)
    t.strictSame(words, ['Smartphones', 'Smartphones'])
    t.strictSame(sources, [snapshot, null, snapshot])
    t.match(missing, /^a bundled program does not include a snapshot/)
    t.strictSame(
      warnings.filter(text => !text.startsWith('"import.meta" is not available with the "cjs"')),
      [],
    )
  })
}
