/** Shows the current step: one line on stderr that rewrites itself, or plain lines if stderr is not a terminal. */
const startMs = Date.now()
const WIDTH = 100

function elapsed() {
  const seconds = Math.round((Date.now() - startMs) / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export class Progress {
  #sections
  #at = 0
  #name = ''

  constructor(sections) {
    this.#sections = sections
  }

  section(name) {
    this.#at++
    this.#name = name
    if (!process.stderr.isTTY) process.stderr.write(`${elapsed()} [${this.#at}/${this.#sections}] ${name}\n`)
  }

  step(text) {
    if (!process.stderr.isTTY) return
    const line = `${elapsed()} [${this.#at}/${this.#sections}] ${this.#name}: ${text}`
    process.stderr.write(`\r${line.slice(0, WIDTH).padEnd(WIDTH)}`)
  }

  clear() {
    if (process.stderr.isTTY) process.stderr.write(`\r${' '.repeat(WIDTH)}\r`)
  }
}
