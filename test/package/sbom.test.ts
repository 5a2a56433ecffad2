/** The list of packages, which the npm package and the image contain. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

// biome-ignore lint/suspicious/noExplicitAny: the test reads single fields of the document
const readJson = (file: string): any => JSON.parse(readFileSync(file, 'utf8'))

/** Packages from devDependencies whose code or fonts are in the web pages. */
const IN_PAGES = ['@fontsource-variable/cairo', '@preact/signals', '@preact/signals-core', 'swagger-ui-dist']

t.test('the list of packages has every package that is installed or bundled into the pages, and no other', async t => {
  const file = join(temporaryDirectory(t), 'sbom.json')
  execFileSync(process.execPath, ['scripts/write-sbom.mjs', file], { cwd: ROOT })
  const { bomFormat, components, dependencies } = readJson(file)
  t.equal(bomFormat, 'CycloneDX')

  type Entry = { version: string; dev?: boolean }
  const locked = Object.entries<Entry>(readJson(join(ROOT, 'package-lock.json')).packages)
  const expected = locked
    .map(([path, { version, dev }]) => ({ name: path.replace(/^.*node_modules\//, ''), version, dev }))
    .filter(({ name, dev }) => name !== '' && (!dev || IN_PAGES.includes(name)))
    .map(({ name, version }) => `${name}@${version}`)
  const listed: string[] = components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)
  t.strictSame(listed.sort(), expected.sort())
  for (const component of components) {
    t.ok(component.hashes.length > 0, `${component.name} has a hash`)
    if (IN_PAGES.includes(component.name)) t.equal(component.scope, 'required', component.name)
  }

  const refs = new Set(['hsapi@1.0.0', ...components.map((component: { 'bom-ref': string }) => component['bom-ref'])])
  for (const { ref, dependsOn } of dependencies) for (const name of [ref, ...dependsOn]) t.ok(refs.has(name), `${name} is listed`)
})
