/**
 * Counts the texts that were searched for, by UTC day, in memory. The algorithm of Misra and Gries bounds each day's list: a
 * new text lowers every count of a full list by one. So a count is never too high, and is too low by at most a thousandth of
 * the day's searches.
 */
import { DAY_MS, utcDay } from '../clock.js'

/** Counts are kept for today and the seven days before. */
const DAYS = 8
const TEXTS_MAX = 1_000
/** Longer texts are counted, but not kept. */
const CHARS_MAX = 100
/** Texts with a lower count are never shown: a rare text may be about a person. */
export const SEARCH_COUNT_MIN = 3

type Counted = readonly [text: string, count: number]

/** Counts of one thread; can be posted to another one. */
export interface DayCounts {
  day: number
  searches: number
  empty: number
  all: Counted[]
  nothingFound: Counted[]
}

export interface SearchedText {
  q: string
  count: number
}

export interface SearchedDay {
  day: string
  searches: number
  empty: number
  queries: SearchedText[]
  nothing_found: SearchedText[]
}

class FrequentTexts {
  readonly #counts = new Map<string, number>()

  add(text: string): void {
    const count = this.#counts.get(text)
    if (count !== undefined) this.#counts.set(text, count + 1)
    else if (this.#counts.size < TEXTS_MAX) this.#counts.set(text, 1)
    else this.#takeOneFromAll()
  }

  /** This is fast on average, because each step undoes an earlier `add`. */
  #takeOneFromAll(): void {
    for (const [text, count] of this.#counts) {
      if (count === 1) this.#counts.delete(text)
      else this.#counts.set(text, count - 1)
    }
  }

  list(): Counted[] {
    return [...this.#counts]
  }
}

interface Day {
  day: number
  searches: number
  empty: number
  all: FrequentTexts
  nothingFound: FrequentTexts
}

export class SearchCounts {
  #days: Day[] = []

  /** Texts for which `isSecret` is true are counted, but not kept. */
  constructor(private readonly isSecret: (text: string) => boolean) {}

  /**
   * `isFiltered`: only a part of the dataset was searched, so an empty answer does not mean that the dataset lacks the word.
   */
  add(words: string, total: number, isFiltered: boolean, nowMs: number): void {
    const day = this.#dayOf(utcDay(nowMs))
    day.searches++
    if (total === 0) day.empty++
    const text = words.trim().replaceAll(/\s+/g, ' ').toLowerCase()
    if (text.length > CHARS_MAX || this.isSecret(text)) return
    day.all.add(text)
    if (total === 0 && !isFiltered) day.nothingFound.add(text)
  }

  #dayOf(day: number): Day {
    const last = this.#days.at(-1)
    // after the clock was set back, searches are still counted for the latest day
    if (last !== undefined && last.day >= day) return last
    const next = { day, searches: 0, empty: 0, all: new FrequentTexts(), nothingFound: new FrequentTexts() }
    this.#days = [...this.#days.filter(one => one.day > day - DAYS), next]
    return next
  }

  days(): DayCounts[] {
    return this.#days.map(({ all, nothingFound, ...rest }) => ({ ...rest, all: all.list(), nothingFound: nothingFound.list() }))
  }
}

function frequent(lists: readonly (readonly Counted[])[], limit: number): SearchedText[] {
  const counts = new Map<string, number>()
  for (const [text, count] of lists.flat()) counts.set(text, (counts.get(text) ?? 0) + count)
  return [...counts]
    .filter(([, count]) => count >= SEARCH_COUNT_MIN)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([q, count]) => ({ q, count }))
}

/** Adds up the counts of all threads; the latest day comes first. */
export function searchedDays(threads: readonly (readonly DayCounts[])[], nowMs: number, limit: number): SearchedDay[] {
  const all = threads.flat().filter(({ day }) => day > utcDay(nowMs) - DAYS)
  const days = [...new Set(all.map(({ day }) => day))].sort((a, b) => b - a)
  return days.map(day => {
    const parts = all.filter(part => part.day === day)
    const sum = (of: (part: DayCounts) => number) => parts.reduce((total, part) => total + of(part), 0)
    return {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      searches: sum(part => part.searches),
      empty: sum(part => part.empty),
      queries: frequent(
        parts.map(part => part.all),
        limit,
      ),
      nothing_found: frequent(
        parts.map(part => part.nothingFound),
        limit,
      ),
    }
  })
}
