/** CPU time that one request or row may take. With a limit on elapsed time, tests would fail on a busy machine. */
export const HANG_MS = 1_000

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  return since(before)
}

/** Throws if `run` takes more than HANG_MS. The error contains `input`. */
export function withoutHanging<T>(input: string, run: () => T): T {
  const before = process.cpuUsage()
  const result = run()
  const ms = since(before)
  if (ms > HANG_MS) throw new Error(`${ms.toFixed(0)} ms for ${input}`)
  return result
}
