import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import t from 'tap'
import { Catalog } from '../../src/catalog/catalog.js'
import { makeServer } from '../../src/mcp/server.js'
import { shippedSnapshot } from '../support/service.js'

const LIVE_SWINE = '0103'

t.test('get_hs_code lists the controls of a country if one is named, and otherwise only those of all member states', async t => {
  const [here, there] = InMemoryTransport.createLinkedPair()
  await makeServer(new Catalog(await shippedSnapshot())).connect(there)
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(here)
  t.teardown(() => client.close())
  const ask = async (args: Record<string, string>) => {
    // biome-ignore lint/suspicious/noExplicitAny: tests read single fields of the answers
    const { structuredContent, content }: any = await client.callTool({ name: 'get_hs_code', arguments: args })
    return {
      scopes: [...new Set(structuredContent.controls.map(({ scope }: { scope: string }) => scope))].sort(),
      total: structuredContent.controls_total,
      text: content[0].text,
    }
  }
  const common = await ask({ code: LIVE_SWINE })
  const emirates = await ask({ code: LIVE_SWINE, country: 'AE' })
  t.notOk(common.scopes.includes('AE'))
  t.ok(emirates.scopes.includes('AE'))
  t.ok(emirates.total > common.total)
  t.match(emirates.text, /^control in AE: prohibited, ICP/m)
})
