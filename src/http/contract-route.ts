/** /openapi.json is large and never changes, so it is compressed once, after the first request that accepts compression. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { OPENAPI_BYTES } from '../contract/openapi.js'
import { readAcceptEncoding } from '../engines/request.js'
import { Document, type DocumentFile } from '../responses/document.js'
import { codingFor } from '../responses/preferences.js'
import type { OpenRoute } from './routes.js'

const HEADERS = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
const HASH_CHARS = 16
/** The best quality takes half a second of CPU and saves only a tenth more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const hash = createHash('sha256').update(OPENAPI_BYTES).digest('hex').slice(0, HASH_CHARS)
const file: DocumentFile = { type: 'application/json', hash, plain: OPENAPI_BYTES, coded: {} }
const plain = new Document(file, HEADERS)
/** The compressed document, which all servers of a thread share. */
let coded: Promise<Document> | undefined

async function compress(): Promise<Document> {
  const [br, gz] = await Promise.all([promisify(brotliCompress)(OPENAPI_BYTES, BROTLI), promisify(gzip)(OPENAPI_BYTES)])
  return new Document({ ...file, coded: { br, gzip: gz } }, HEADERS)
}

export const CONTRACT_ROUTE: OpenRoute = {
  kind: 'open',
  path: '/openapi.json',
  prepare: () => {
    let document = plain
    return (_ready, out, req) => {
      if (document === plain && codingFor(readAcceptEncoding(req)) !== undefined) {
        coded ??= compress()
        coded.then(
          done => {
            document = done
          },
          () => {},
        )
      }
      document.end(req, out)
    }
  },
}
