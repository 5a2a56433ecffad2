/**
 * Never runs `work` twice at a time. Calls during a run share the next run, because the current run may miss the callers'
 * changes.
 */
export function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const run = (): Promise<Result> => {
    next = undefined
    running = work().finally(() => {
      if (next === undefined) running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return run()
    next ??= running.then(run, run)
    return next
  }
}
