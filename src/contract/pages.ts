/** The documentation pages that the explorer serves, for readers of the OpenAPI document. */

export const DOCS_INDEX = '/docs'

/** Title and address of docs/NAME.md. The interactive contract is at /docs/api, so the page of that name is elsewhere. */
export const PAGES: readonly (readonly [title: string, path: string])[] = [
  ['Getting started', '/docs/getting-started'],
  ['HTTP API', '/docs/http-api'],
  ['From a title to a code', '/docs/classify'],
  ['Countries', '/docs/countries'],
  ['Command line', '/docs/cli'],
  ['Library', '/docs/library'],
  ['Client', '/docs/client'],
  ['Clients for other languages', '/docs/clients'],
  ['Changes and exports', '/docs/changes'],
  ['Agents', '/docs/agents'],
  ['Explorer', '/docs/explorer'],
  ['Search box for your own site', '/docs/embed'],
  ['Your own tariff', '/docs/own-tariff'],
  ['Settings', '/docs/settings'],
  ['Operations', '/docs/operations'],
  ['Several replicas', '/docs/replicas'],
  ['Load testing', '/docs/load-testing'],
  ['Faults on demand', '/docs/faults'],
  ['Search quality', '/docs/search-quality'],
  ['Performance', '/docs/performance'],
  ['Capacity', '/docs/capacity'],
  ['Dependencies', '/docs/dependencies'],
  ['Development', '/docs/development'],
]
