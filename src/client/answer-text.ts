/** The text of an answer; undefined where it has more than so many bytes, which are counted as they come. */
export async function answerText(response: Response, bytesMax: number): Promise<string | undefined> {
  // null without a body; undefined on platforms whose answers cannot be read in pieces
  if (response.body == null) return within(await response.text(), bytesMax)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > bytesMax) {
      await reader.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

function within(text: string, bytesMax: number): string | undefined {
  return new TextEncoder().encode(text).length > bytesMax ? undefined : text
}
