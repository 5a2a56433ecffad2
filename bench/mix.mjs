/**
 * Requests for benchmarks: the mix of src/load-kit/feed/mix.ts, with the codes of a dataset and the phrases in
 * relevance/phrases.tsv. The list is the same every time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mixedRequests, UNKNOWN_KEY } from '../dist/src/load-kit/feed/mix.js'

const LENGTH = 8192
const SEED = 6

function datasetCodes(directory) {
  const chapters = join(directory, 'chapters')
  return readdirSync(chapters).flatMap(name =>
    readFileSync(join(chapters, name), 'utf8')
      .split('\n')
      .map(line => /^(\d{2,14}),/.exec(line)?.[1])
      .filter(code => code !== undefined),
  )
}

function phrases() {
  const [, ...lines] = readFileSync(new URL('relevance/phrases.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map(line => line.split('\t')[1])
}

/** @returns {{path: string, key: 'own' | 'unknown', status: number}[]} requests with their expected status */
export function expectedMix({ dataset, withoutUnknownKey = false }) {
  const sources = { codes: datasetCodes(dataset), phrases: phrases() }
  const draw = mixedRequests(sources, { seed: SEED, spread: 'zipf', withoutUnknownKey })
  return Array.from({ length: LENGTH }, draw)
}

/** @returns {[string, object][]} paths with their headers */
export function requestMix({ dataset, key }) {
  return expectedMix({ dataset }).map(one => [one.path, { 'X-Api-Key': one.key === 'own' ? key : UNKNOWN_KEY }])
}
