/** The documentation pages that the explorer serves, for readers of the OpenAPI document. */

export const DOCS_INDEX = '/docs'

/**
 * Title and address of docs/NAME.md. The page docs/api.md has another address, because /docs/api is the interactive contract.
 */
export const PAGES: readonly (readonly [title: string, path: string])[] = [
  ['Getting started', '/docs/getting-started'],
  ['HTTP API', '/docs/http-api'],
  ['Look up codes', '/docs/api-lookup'],
  ['Search and classify', '/docs/api-search'],
  ['Check and translate codes', '/docs/api-codes'],
  ['Estimate duty and taxes', '/docs/api-estimate'],
  ['HTTP details', '/docs/api-http'],
  ['From a title to a code', '/docs/classify'],
  ['Countries', '/docs/countries'],
  ['Command line', '/docs/cli'],
  ['Library', '/docs/library'],
  ['Client', '/docs/client'],
  ['Clients for other languages', '/docs/clients'],
  ['Integrations', '/docs/integrations'],
  ['Changes and exports', '/docs/changes'],
  ['Agents', '/docs/agents'],
  ['Explorer', '/docs/explorer'],
  ['Search box for your own site', '/docs/embed'],
  ['Your own tariff', '/docs/own-tariff'],
  ['Settings', '/docs/settings'],
  ['Operations', '/docs/operations'],
  ['Deploy', '/docs/deploy'],
  ['Proxy and TLS', '/docs/proxy'],
  ['Keys', '/docs/keys'],
  ['Monitoring', '/docs/monitoring'],
  ['Runbook', '/docs/runbook'],
  ['Upgrades and new data', '/docs/upgrade'],
  ['Backup and recovery', '/docs/backup'],
  ['HTTP engines', '/docs/engines'],
  ['Several replicas', '/docs/replicas'],
  ['Load testing', '/docs/load-testing'],
  ['Faults on demand', '/docs/faults'],
  ['Search quality', '/docs/search-quality'],
  ['Performance', '/docs/performance'],
  ['Capacity', '/docs/capacity'],
  ['Dependencies', '/docs/dependencies'],
  ['Development', '/docs/development'],
]
