/**
 * Writes the list of the packages that the program is made of, as CycloneDX, from the lock file: node scripts/write-sbom.mjs
 * FILE. Removes the checkout's folder, the time and the address of the registry, which npm includes, so that the result is the
 * same on every machine.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [file] = process.argv.slice(2)
const { name } = JSON.parse(readFileSync('package.json', 'utf8'))
const command = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application']
const bom = JSON.parse(
  execFileSync('npm', command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 }),
)

delete bom.serialNumber
delete bom.metadata.timestamp
bom.metadata.component.name = name
for (const component of [bom.metadata.component, ...bom.components]) {
  component.externalReferences = component.externalReferences?.filter(({ type }) => type !== 'distribution')
  component.properties = component.properties?.filter(property => property.name !== 'cdx:npm:package:path')
}
if (bom.components.length === 0) throw new Error('the list of packages is empty')
writeFileSync(file, `${JSON.stringify(bom, undefined, 1)}\n`)
