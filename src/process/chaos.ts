/** Controls the fault injection in all threads of a server. */
import { OperatorError } from '../errors.js'
import { type Plan, parsePlan, planText } from '../load-kit/chaos/expression.js'
import type { Log } from './log.js'

export class ChaosControl {
  #expression: string
  readonly #log: Log
  /** Applies a plan in every thread; set once all threads run. */
  applyEverywhere: (expression: string, plan: Plan) => Promise<unknown> = async () => {
    throw new OperatorError('the server is still starting; try again in a moment')
  }

  constructor(expression: string, log: Log) {
    this.#expression = expression
    this.#log = log
  }

  get expression(): string {
    return this.#expression
  }

  /** Returns the normalised expression once every thread applies it. */
  async put(expression: string): Promise<string> {
    const plan = parsePlan(expression)
    const text = planText(plan)
    await this.applyEverywhere(text, plan)
    this.#expression = text
    this.logState()
    return text
  }

  logState(): void {
    if (parsePlan(this.#expression).rules.length > 0) this.#log(`hsapi: chaos is ON: ${this.#expression}`, 'warning')
    else this.#log('hsapi: chaos is off; PUT /chaos on HSAPI_ADMIN_PORT turns it on')
  }
}
