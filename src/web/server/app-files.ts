/** Files at addresses that never change: the service worker, and the search box that other sites load. */
import type { RouteHandler } from '../../http/routes.js'
import { Document } from '../../responses/document.js'
import type { Site } from './site.js'

/** The worker may only fetch documents and files from this server. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"
/** Cache time: a new release of the box reaches other sites within this time. */
const EMBED_SECONDS = 600

const answerWith =
  (document: Document): RouteHandler =>
  (req, out) =>
    document.end(req, out)

export const workerAnswer = ({ app }: Site) =>
  answerWith(
    new Document(app.worker, {
      'Content-Security-Policy': WORKER_POLICY,
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    }),
  )

/** The only file that every site may load, even if HSAPI_CORS_ORIGINS does not list it. It contains no data. */
export const embedAnswer = ({ app }: Site) =>
  answerWith(
    new Document(app.embed, {
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': `public, max-age=${EMBED_SECONDS}`,
      Vary: 'Accept-Encoding',
    }),
  )
