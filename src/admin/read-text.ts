import type { IncomingMessage } from 'node:http'

export const BODY_BYTES_MAX = 16_384

/** Reads a body; returns undefined if it is too large. */
export async function readText(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    // a body that is too large is still read to its end, because the client would not receive the response otherwise
    if (length <= BODY_BYTES_MAX) pieces.push(piece)
  }
  return length > BODY_BYTES_MAX ? undefined : Buffer.concat(pieces).toString('utf8')
}
