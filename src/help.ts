/** The overview that `hsapi --help` prints; each command has its own text in src/commands. */
import { settingsHelp } from './settings/describe.js'

export const HELP = `hsapi: HS code lookup, bilingual search and duty estimates, over HTTP and on the command line

Usage: hsapi COMMAND [options]

  serve    answer requests
  reload   make running servers load their snapshot again
  health   check whether a server is healthy
  doctor   check the settings, files and services that a server needs here
  searches show which searches were sent, and which found nothing
  engine   show which HTTP engine is used here, why, and how to get the fast one
  lookup   show a code: its description, its rate, and the codes above and below it
  search   find codes by words, in English or Arabic
  classify propose codes for a product title, or check whether a code fits it
  tariff   estimate duty, VAT and landed cost
  enrich   add codes, descriptions and rates to a CSV or XLSX file, from its codes or its words
  export   write all codes as one table: CSV, JSON or XLSX
  decide   record a company's own decision on the code of a product
  changes  list what versions of the dataset changed, for all codes or your own
  diff     show the differences between two snapshots
  mcp      serve an AI agent over the Model Context Protocol
  feed     write codes, words and URLs for load tools
  replay   send a recorded access log again
  build    compile the dataset into the snapshot that serve loads
  snapshots list the snapshots that were replaced, and return to one
  check    list the defects of a dataset
  import   make a dataset or a country layer from an official tariff file
  keys     create, list, show, revoke, rotate and move API keys

"hsapi COMMAND --help" describes each command; --version prints the version.

${settingsHelp(process.env)}`
