import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { OPENAPI } from '../../src/contract/openapi.js'
import { PAGES } from '../../src/contract/pages.js'
import { TOOLS } from '../../src/mcp/tools.js'

const FILE = fileURLToPath(new URL('../../docs/llms.txt', import.meta.url))
const text = readFileSync(FILE, 'utf8')

t.test('llms.txt names every path, tool and page, and its links lead to existing files', async t => {
  t.match(text, /^# hsapi\n\n> /)
  for (const path of Object.keys(OPENAPI.paths as object)) t.ok(text.includes(`GET ${path}`), `llms.txt names ${path}`)
  const named = new Set([...text.matchAll(/GET (\/[^`?]+)/g)].map(([, path]) => path))
  t.equal(named.size, Object.keys(OPENAPI.paths as object).length, 'llms.txt names no other paths')
  for (const { name } of TOOLS) t.ok(text.includes(`\`${name}\``), `llms.txt names ${name}`)
  for (const page of readdirSync(dirname(FILE)).filter(name => name.endsWith('.md')))
    t.ok(text.includes(`](${page})`), `llms.txt links ${page}`)
  for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) t.ok(existsSync(join(dirname(FILE), target)), `${target} exists`)
})

t.test('the OpenAPI document names every page by its title and its address in the explorer', async t => {
  // translations such as page.ar.md are left out, because they have the address of the original
  const names = readdirSync(dirname(FILE)).filter(name => /^[\w-]+\.md$/.test(name))
  const addresses = names.map(name => `/docs/${name === 'api.md' ? 'http-api' : name.replace('.md', '')}`)
  t.strictSame(PAGES.map(([, path]) => path).sort(), addresses.sort())
  for (const [title, path] of PAGES) {
    const file = `${path === '/docs/http-api' ? 'api' : path.slice('/docs/'.length)}.md`
    t.ok(readFileSync(join(dirname(FILE), file), 'utf8').startsWith(`# ${title}\n`), `${file} has the title "${title}"`)
    t.match((OPENAPI.info as { description: string }).description, `[${title}](${path})`)
  }
  t.match(OPENAPI.externalDocs, { url: '/docs' })
})
