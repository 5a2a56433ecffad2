/** A product title to codes. */
import type { Catalog } from '../catalog.js'
import type { Classified, ClassifyTerms, Verdict } from './classified.js'

const VOTERS = 50
const RANK_OFFSET = 2

export class Classifier {
  constructor(private readonly catalog: Catalog) {}

  classify(text: string, { level, limit, within }: ClassifyTerms): Classified {
    const { search, records } = this.catalog
    const votes = new Map<number, number>()
    let total = 0
    search.find(text, level, 0, VOTERS).records.forEach((record, rank) => {
      const code = records.code(record)
      if (within.length > 0 && !within.some(one => code.startsWith(one))) return
      const vote = 1 / (RANK_OFFSET + rank)
      votes.set(record, (votes.get(record) ?? 0) + vote)
      total += vote
    })
    const candidates = [...votes]
      .sort((a, b) => b[1] - a[1])
      .slice(0, limit)
      .map(([record, vote]) => ({ record, score: vote / total, matched: [] }))
    return { status: candidates.length === 0 ? 'unknown' : 'choose', candidates, question: undefined }
  }

  /** `record`: the code in question. */
  verify(text: string, record: number, terms: ClassifyTerms): Verdict {
    const { candidates } = this.classify(text, terms)
    const code = this.catalog.records.code(record)
    const place = candidates.findIndex(candidate => this.catalog.records.code(candidate.record).startsWith(code))
    if (place === 0) return { status: 'agrees', against: [] }
    return { status: place > 0 ? 'doubtful' : 'contradicts', against: candidates.slice(0, place < 0 ? undefined : place) }
  }
}
