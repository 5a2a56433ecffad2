/**
 * `npm version` runs this: gives the "unreleased" section the new version and today's date. With --check, it changes nothing
 * and only checks that there is such a section.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../CHANGELOG.md', import.meta.url)
const UNRELEASED = /^## .*\bunreleased$/m

const version = process.env.npm_package_version
const text = readFileSync(FILE, 'utf8')
if (!UNRELEASED.test(text)) {
  console.error('CHANGELOG.md has no heading that ends in "unreleased": there is nothing to release')
  process.exit(1)
}
if (process.argv.includes('--check')) process.exit(0)
const today = new Date().toISOString().slice(0, 10)
writeFileSync(FILE, text.replace(UNRELEASED, `## ${version}, ${today}`))
