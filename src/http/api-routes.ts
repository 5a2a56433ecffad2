import type { Catalog } from '../catalog/catalog.js'
import { bytes } from '../engines/bytes.js'
import { CLASSIFY_BODY_BYTES_MAX } from '../limits.js'
import { dataset } from '../questions/dataset.js'
import type { CachedBody } from '../responses/head.js'
import { CONTRACT_ROUTE } from './contract-route.js'
import { FEED_ROUTE } from './feeds.js'
import { ChangesHandler } from './handlers/changes.js'
import { chaptersJson } from './handlers/chapters.js'
import { ChildrenHandler } from './handlers/children.js'
import { ClassifyHandler, readTitles } from './handlers/classify.js'
import { EditionsHandler } from './handlers/editions.js'
import { HealthHandler } from './handlers/health.js'
import { LinesHandler } from './handlers/lines.js'
import { LookupHandler } from './handlers/lookup.js'
import { NotesHandler } from './handlers/notes.js'
import { ResolveHandler, readCodes } from './handlers/resolve.js'
import { SearchHandler } from './handlers/search.js'
import { readManySearches } from './handlers/searches.js'
import { SuggestHandler } from './handlers/suggest.js'
import { readInvoice, TariffHandler } from './handlers/tariff.js'
import { HEALTH_PATH, type KeyedHandler, type KeyedRoute, type Route } from './routes.js'

const keyed = (path: string, Handler: new (catalog: Catalog) => KeyedHandler, mayCompress = false): KeyedRoute => ({
  kind: 'keyed',
  path,
  mayCompress,
  prepare: catalog => new Handler(catalog),
})

const keyedList = (path: string, Handler: new (catalog: Catalog) => KeyedHandler): KeyedRoute => keyed(path, Handler, true)

/** A route whose response changes only with the catalog. */
const constant = (path: string, render: (catalog: Catalog) => string): KeyedRoute => ({
  kind: 'keyed',
  path,
  mayCompress: true,
  prepare: catalog => {
    const data = bytes(render(catalog))
    let cached: CachedBody | undefined
    return {
      handle: (_req, out) => {
        cached ??= out.cache(data)
        out.endCached(cached)
      },
    }
  },
})

export const ROUTES: readonly Route[] = [
  {
    kind: 'open',
    path: HEALTH_PATH,
    prepare: () => {
      const health = new HealthHandler()
      return (ready, out) => health.handle(ready, out)
    },
  },
  CONTRACT_ROUTE,
  keyed('/api/v1/hs-codes/:code', LookupHandler),
  keyedList('/api/v1/hs-codes/:code/children', ChildrenHandler),
  keyedList('/api/v1/hs-codes/:code/lines', LinesHandler),
  keyedList('/api/v1/search', SearchHandler),
  { kind: 'body', path: '/api/v1/search', prepare: readManySearches },
  keyed('/api/v1/suggest', SuggestHandler),
  keyed('/api/v1/classify', ClassifyHandler),
  { kind: 'body', path: '/api/v1/classify', bytesMax: CLASSIFY_BODY_BYTES_MAX, prepare: readTitles },
  keyed('/api/v1/tariff/calculate', TariffHandler),
  { kind: 'body', path: '/api/v1/tariff/calculate', refusesQuery: true, prepare: readInvoice },
  keyed('/api/v1/resolve', ResolveHandler),
  { kind: 'body', path: '/api/v1/resolve', prepare: readCodes },
  keyed('/api/v1/editions/:edition/:code', EditionsHandler),
  keyedList('/api/v1/notes/:scope', NotesHandler),
  constant('/api/v1/chapters', chaptersJson),
  constant('/api/v1/dataset', catalog => JSON.stringify(dataset(catalog))),
  keyedList('/api/v1/changes', ChangesHandler),
  FEED_ROUTE,
]
