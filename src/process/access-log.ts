/** Writes responses as JSON lines, in batches. Lines that cannot be written in time are dropped and counted. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { escapeControls } from '../control-characters.js'
import { maskKeys, maskTarget } from '../mask-secrets.js'
import type { Access } from '../responses/observer.js'
import { oneAtATime } from './one-at-a-time.js'

const FLUSH_MS = 100
/** How long to wait before writing again to a pipe that is full. */
const RETRY_MS = 10
const CLOSE_MS = 2_000
/** Without O_NONBLOCK, a pipe that nobody reads would block a thread of Node's pool and keep the process from exiting. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0)
const PENDING_CHARS_MAX = 8 * 1024 * 1024

export interface AccessLogOptions {
  /** If undefined, the log goes to standard output. */
  file: string | undefined
  /** Called when writing starts to fail, and when it works again. */
  onStatus(message: string, isFailing: boolean): void
}

function lineOf({
  timeMs,
  method,
  target,
  route,
  keyId,
  status,
  microseconds,
  bytes,
  address,
  requestId,
  traceparent,
}: Access): string {
  const line = JSON.stringify({
    time: new Date(timeMs).toISOString(),
    // the method is masked too, because a client may send any word there
    method: maskKeys(method),
    target: maskTarget(target),
    route,
    key: keyId === '' ? null : keyId,
    status,
    us: Math.round(microseconds),
    bytes,
    // undefined fields are left out
    address: address === '' ? null : address,
    request_id: requestId,
    traceparent,
  })
  return `${escapeControls(line)}\n`
}

async function openToAppend(file: string): Promise<FileHandle> {
  try {
    return await open(file, APPEND, 0o640)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
    throw new Error(`${file} is a pipe without a reader`, { cause: error })
  }
}

export class AccessLogWriter {
  #handle: FileHandle | undefined
  #pending: string[] = []
  #pendingChars = 0
  #linesBeingWritten = 0
  #mustReopen = false
  #isFailing = false
  #isGivenUp = false
  #timer: NodeJS.Timeout | undefined
  dropped = 0

  private constructor(private readonly options: AccessLogOptions) {}

  static async open(options: AccessLogOptions): Promise<AccessLogWriter> {
    const writer = new AccessLogWriter(options)
    await writer.#reopen()
    writer.#timer = setInterval(() => void writer.#flush(), FLUSH_MS).unref()
    return writer
  }

  readonly log = (access: Access): void => {
    if (this.#pendingChars > PENDING_CHARS_MAX) {
      this.dropped++
      return
    }
    const line = lineOf(access)
    this.#pending.push(line)
    this.#pendingChars += line.length
  }

  /** Continues in a new file after the old one has been moved away. If the file cannot be opened, each flush tries again. */
  async reopen(): Promise<void> {
    this.#mustReopen = true
    await this.#flush()
  }

  async #reopen(): Promise<void> {
    const { file } = this.options
    if (file !== undefined) {
      const before = this.#handle
      this.#handle = await openToAppend(file)
      await before?.close()
    }
    this.#mustReopen = false
  }

  readonly #flush = oneAtATime(async () => {
    await this.#writePending().catch(error => this.#fail(error as Error))
    if (this.#mustReopen) await this.#reopen().then(this.#succeed, error => this.#fail(error as Error))
  })

  #fail(error: Error): void {
    if (!this.#isFailing) this.options.onStatus(`the access log cannot be written: ${error.message}`, true)
    this.#isFailing = true
  }

  readonly #succeed = (): void => {
    if (this.#isFailing) this.options.onStatus('the access log is being written again', false)
    this.#isFailing = false
  }

  async #writePending(): Promise<void> {
    const lines = this.#pending
    if (lines.length === 0) return
    this.#pending = []
    this.#pendingChars = 0
    this.#linesBeingWritten = lines.length
    try {
      await this.#write(lines.join(''))
    } catch (error) {
      this.dropped += lines.length
      throw error
    } finally {
      this.#linesBeingWritten = 0
    }
    // while a reopen is pending, lines still go to the file that was moved away, so this is not a success
    if (!this.#mustReopen) this.#succeed()
  }

  async #write(text: string): Promise<void> {
    if (this.#handle !== undefined) return this.#writeToFile(this.#handle, Buffer.from(text))
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(text, error => (error ? reject(error) : resolve()))
    })
  }

  async #writeToFile(handle: FileHandle, bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      try {
        written += (await handle.write(bytes, written)).bytesWritten
      } catch (error) {
        const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN'
        if (!isFull || this.#isGivenUp) throw error
        await wait(RETRY_MS)
      }
    }
  }

  /** Writes the pending lines; rejects with the number of lost lines if that takes too long. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    const written = this.#flush().then(() => this.#handle?.close())
    if ((await Promise.race([written, wait(CLOSE_MS, 'late', { ref: false })])) !== 'late') return
    this.#isGivenUp = true
    const lost = this.#linesBeingWritten + this.#pending.length
    throw new Error(`access log lines not written in time and lost: ${lost}`)
  }
}
