/** Where the server's own lines go. */
export type Log = (line: string) => void

/** An error as a log shows it, where it came from included. */
export function traced(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
