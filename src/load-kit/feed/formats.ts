import { csvCells } from '../../tables/csv-text.js'
import type { Feed } from './rows.js'

/** `list` has one URL per line; `vegeta` is that tool's target format. */
export const FORMATS = ['csv', 'jsonl', 'list', 'vegeta'] as const
export type Format = (typeof FORMATS)[number]

/** Formats without a column for the key: all rows use one key. */
export const FORMATS_OF_URLS: readonly Format[] = ['list', 'vegeta']

const PIECE_CHARS = 65_536

/** Fields that are not quoted in JSON. */
const NUMBERS: readonly string[] = ['level', 'value', 'include_vat', 'landed_cost', 'status']

type Line = (cells: readonly string[]) => string

function jsonLine({ fields }: Feed): Line {
  return cells => {
    const members = cells.map((cell, i) => `"${fields[i]}":${NUMBERS.includes(fields[i]) ? cell : JSON.stringify(cell)}`)
    return `{${members.join(',')}}\n`
  }
}

function lineOf(feed: Feed, format: Format): Line {
  const [method, url] = [feed.fields.indexOf('method'), feed.fields.indexOf('url')]
  switch (format) {
    case 'csv':
      return cells => `${csvCells(cells)}\n`
    case 'jsonl':
      return jsonLine(feed)
    case 'list':
      return cells => `${cells[url]}\n`
    case 'vegeta':
      return cells => `${cells[method]} ${cells[url]}\n\n`
  }
}

export function* feedText(feed: Feed, format: Format, count: number): Generator<string> {
  const line = lineOf(feed, format)
  let piece = format === 'csv' ? line(feed.fields) : ''
  for (let i = 0; i < count; i++) {
    piece += line(feed.next())
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}
