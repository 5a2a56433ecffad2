/** What is taken on the way up is given back on the way down. */

/** One after the other: no request comes after the last save of counts, and nothing that may hang comes before it. */
const PHASES = ['requests', 'counts', 'rest'] as const

type Phase = (typeof PHASES)[number]
type Step = () => Promise<unknown> | unknown

export class Teardown {
  #steps: { phase: Phase; step: Step }[] = []

  /** Steps of one phase run at the same time. */
  push(phase: Phase, step: Step): void {
    this.#steps.push({ phase, step })
  }

  /** Runs each step once, whatever becomes of the others. Gives what went wrong, in sentences. */
  async run(): Promise<string[]> {
    const steps = this.#steps
    this.#steps = []
    const problems: string[] = []
    const run = async (step: Step) => {
      try {
        await step()
      } catch (error) {
        problems.push((error as Error).message)
      }
    }
    for (const phase of PHASES) await Promise.all(steps.filter(one => one.phase === phase).map(({ step }) => run(step)))
    return problems
  }
}
