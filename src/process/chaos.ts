/** Faults on demand over all threads of a server: what is in force, and how that changes. */
import { type Plan, parsePlan, planText } from '../chaos/expression.js'
import { OperatorError } from '../errors.js'
import type { Log } from './log.js'

export class ChaosControl {
  #expression: string
  readonly #log: Log
  /** Puts a plan in force in every thread; set once they are there. */
  spread: (expression: string, plan: Plan) => Promise<unknown> = async () => {
    throw new OperatorError('the server is still starting; try again in a moment')
  }

  constructor(expression: string, log: Log) {
    this.#expression = expression
    this.#log = log
  }

  get plan(): Plan {
    return parsePlan(this.#expression)
  }

  /** What is in force. */
  get expression(): string {
    return this.#expression
  }

  /** Gives what is in force once every thread goes by it. Rejects, and changes nothing, where it cannot be read. */
  async put(expression: string): Promise<string> {
    const plan = parsePlan(expression)
    const text = planText(plan)
    await this.spread(text, plan)
    this.#expression = text
    this.tell()
    return text
  }

  tell(): void {
    const { rules } = this.plan
    this.#log(
      rules.length > 0
        ? `hsapi makes faults on demand, chaos is ON: ${this.#expression}`
        : 'hsapi makes no faults now, chaos is off; PUT /chaos on HSAPI_ADMIN_PORT would change that',
    )
  }
}
