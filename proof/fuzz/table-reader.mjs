/** A process that reads tables on request and reports the CPU time of each. */
import { rm } from 'node:fs/promises'
import { importFile, LAYOUTS } from '../../dist/build/importers/import.js'
import { Catalog } from '../../dist/src/catalog/catalog.js'
import { OperatorError, UnmetError } from '../../dist/src/errors.js'
import { ENRICHED, Enricher } from '../../dist/src/questions/enrich.js'
import { WordsEnricher, wordsCells } from '../../dist/src/questions/enrich-words.js'
import { ownEdition } from '../../dist/src/questions/resolve.js'
import { loadSnapshot } from '../../dist/src/snapshot/load.js'
import { extendTable } from '../../dist/src/tables/extend.js'

const catalog = new Catalog(await loadSnapshot(process.argv[2]))

const WORDS = { level: 6, candidates: 1, withVerdict: true }

const commands = {
  import: ({ file, out, layout }) =>
    importFile({
      file,
      layout: LAYOUTS.get(layout),
      map: {},
      ratesFile: undefined,
      defaultRate: 5,
      allowMissing: ['en', 'ar'],
      selfContained: true,
      edition: 'fuzz',
      vatRate: 5,
      out,
      titles: async () => () => undefined,
      progress: () => {},
    }),
  enrich: ({ file, out, column }) => {
    const enricher = new Enricher(catalog, ownEdition(catalog), true)
    const words = new WordsEnricher(catalog, WORDS)
    const fill = (code, text) => {
      const own = enricher.enrich(code)
      return [...own, ...words.enrich(text, own[1] === '' ? -1 : catalog.trie.find(own[1]))]
    }
    return extendTable({
      file,
      out: `${out}.csv`,
      separator: undefined,
      forExcel: false,
      force: true,
      progress: () => {},
      signal: new AbortController().signal,
      begin: header => ({
        columns: [...ENRICHED, ...wordsCells(WORDS)].map(name => ({ name, kind: 'text' })),
        fill: cellAt => fill(cellAt(Math.max(0, header.indexOf(column))), cellAt(header.length - 1)),
      }),
    })
  },
}

/** The message if the table is refused. Any other error ends the process. */
async function refusalOf(table) {
  try {
    await commands[table.command](table)
    return undefined
  } catch (error) {
    if (error instanceof OperatorError || error instanceof UnmetError) return error.message
    throw error
  } finally {
    await rm(table.out, { recursive: true, force: true })
  }
}

process.on('message', async table => {
  const before = process.cpuUsage()
  const refusal = await refusalOf(table)
  const { user, system } = process.cpuUsage(before)
  process.send({ ms: (user + system) / 1_000, refusal })
})
process.send('ready')
