/** How long one request or row may keep the processor. Processor time, since a busy machine makes a test wait, too. */
export const HANG_MS = 1_000

export async function processorMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
