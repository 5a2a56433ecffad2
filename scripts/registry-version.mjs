/** `npm version` runs this: sets the new version in server.json, which describes the package for the MCP registry. */
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../server.json', import.meta.url)

const { npm_package_version: version } = process.env
const text = readFileSync(FILE, 'utf8')
writeFileSync(FILE, text.replaceAll(/"version": "[^"]*"/g, `"version": "${version}"`))
