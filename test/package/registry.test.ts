/** Tests server.json, which describes the package for the MCP registry and its clients. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtSnapshot, MAIN, ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'

// biome-ignore lint/suspicious/noExplicitAny: the tests check each field that they use
const readJson = (...path: string[]): any => JSON.parse(readFileSync(join(...path), 'utf8'))

const server = readJson(ROOT, 'server.json')
const manifest = readJson(ROOT, 'package.json')

t.test("server.json is valid for the registry and has the package's name and version", async t => {
  t.equal(server.$schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json')
  t.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  t.ok(server.description.length <= 100, 'the registry accepts at most 100 characters')
  t.equal(server.version, manifest.version)
  t.equal(server.packages.length, 1)
  t.match(server.packages[0], {
    registryType: 'npm',
    identifier: manifest.name,
    version: manifest.version,
    transport: { type: 'stdio' },
  })
  t.strictSame(server.repository?.url, manifest.repository?.url)
  const allowed = ['$schema', 'name', 'title', 'description', 'version', 'packages', 'repository', 'websiteUrl']
  for (const field of Object.keys(server)) t.ok(allowed.includes(field), `the registry knows the field ${field}`)
})

t.test('the server starts with the arguments in server.json', async t => {
  const args = server.packages[0].packageArguments.map(({ type, value }: { type: string; value: string }) => {
    t.equal(type, 'positional')
    return value
  })
  const env = { PATH: process.env.PATH ?? '', HSAPI_SNAPSHOT: await builtSnapshot(t) }
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env, input: '', encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stderr, /Model Context Protocol/)
})

t.test('npm version updates the version in server.json', async t => {
  const folder = temporaryDirectory(t)
  mkdirSync(join(folder, 'scripts'))
  for (const file of ['server.json', 'scripts/registry-version.mjs']) cpSync(join(ROOT, file), join(folder, file))
  const env = { PATH: process.env.PATH ?? '', npm_package_version: '1.2.3' }
  t.equal(spawnSync(process.execPath, [join(folder, 'scripts/registry-version.mjs')], { env }).status, 0)
  t.match(readJson(folder, 'server.json'), { version: '1.2.3', packages: [{ version: '1.2.3' }], name: server.name })
  t.match(manifest.scripts.version, /registry-version\.mjs.*git add .*server\.json/)
})
