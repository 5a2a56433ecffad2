/** LRU cache of answers with their entity tags. */

export interface TaggedAnswer {
  tag: string
  /** Unparsed, so that every caller gets its own object. */
  text: string
}

export class TaggedAnswers {
  /** Least recently used first. */
  readonly #answers = new Map<string, TaggedAnswer>()
  #characters = 0

  constructor(private readonly charactersMax: number) {}

  get(url: string): TaggedAnswer | undefined {
    const answer = this.#answers.get(url)
    if (answer === undefined) return undefined
    this.#answers.delete(url)
    this.#answers.set(url, answer)
    return answer
  }

  set(url: string, answer: TaggedAnswer): void {
    this.#drop(url)
    this.#answers.set(url, answer)
    this.#characters += sizeOf(url, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= this.charactersMax) return
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    const answer = this.#answers.get(url)
    if (answer === undefined) return
    this.#answers.delete(url)
    this.#characters -= sizeOf(url, answer)
  }
}

function sizeOf(url: string, { tag, text }: TaggedAnswer): number {
  return url.length + tag.length + text.length
}
