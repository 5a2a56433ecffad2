/** `npm version` runs this: server.json, which describes the package for the MCP registry, gets the new version. */
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('../server.json', import.meta.url)

const { npm_package_version: version } = process.env
const text = readFileSync(FILE, 'utf8')
writeFileSync(FILE, text.replaceAll(/"version": "[^"]*"/g, `"version": "${version}"`))
