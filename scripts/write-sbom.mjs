/**
 * Writes the list of the packages that the program is made of, as CycloneDX, from the lock file: node scripts/write-sbom.mjs
 * FILE. Removes the checkout's folder, the time and the address of the registry, which npm includes, so that the result is the
 * same on every machine.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Packages for development whose code or fonts build/web/bundle.ts puts into the pages. */
const IN_PAGES = ['@fontsource-variable/cairo', '@preact/signals', '@preact/signals-core', 'swagger-ui-dist']

const [file] = process.argv.slice(2)
const readJson = path => JSON.parse(readFileSync(path, 'utf8'))
const { name } = readJson('package.json')
// --omit=dev would also leave out installed packages that a package for development needs too, such as preact
const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application']
const bom = JSON.parse(
  execFileSync('npm', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 }),
)

const shipped = new Set(
  Object.entries(readJson('package-lock.json').packages)
    .map(([path, { version, dev }]) => ({ packageName: path.replace(/^.*node_modules\//, ''), version, dev }))
    .filter(({ packageName, dev }) => !dev || IN_PAGES.includes(packageName))
    .map(({ packageName, version }) => `${packageName}@${version}`),
)
bom.components = bom.components.filter(component => shipped.has(`${component.name}@${component.version}`))
const refs = new Set([bom.metadata.component, ...bom.components].map(component => component['bom-ref']))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))

delete bom.serialNumber
delete bom.metadata.timestamp
bom.metadata.component.name = name
for (const component of [bom.metadata.component, ...bom.components]) {
  component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
  component.properties = component.properties?.filter(property => !property.name.startsWith('cdx:npm:package:'))
  if (IN_PAGES.includes(component.name)) component.scope = 'required'
}
for (const packageName of IN_PAGES)
  if (!bom.components.some(component => component.name === packageName)) throw new Error(`${packageName} is not in the lock file`)
writeFileSync(file, `${JSON.stringify(bom, undefined, 1)}\n`)
