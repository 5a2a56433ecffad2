/** How long one request or row may keep the processor. Processor time, since a busy machine makes a test wait, too. */
export const HANG_MS = 1_000

export function processorMs(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
