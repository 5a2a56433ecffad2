/** Steps that stop a server, in phases: counts are saved after the last request, and before anything that may hang. */
const PHASES = ['requests', 'counts', 'rest'] as const

type Phase = (typeof PHASES)[number]
type Step = () => Promise<unknown> | unknown

export class Teardown {
  #steps: { phase: Phase; step: Step }[] = []

  /** Steps of one phase run at the same time. */
  push(phase: Phase, step: Step): void {
    this.#steps.push({ phase, step })
  }

  /** Runs every step once, even if others fail. Returns the error messages. */
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
