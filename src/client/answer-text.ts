/** The body as text; undefined if it exceeds `bytesMax`. The size is checked while reading. */
export async function answerText(response: Response, bytesMax: number): Promise<string | undefined> {
  // null if there is no body, undefined on platforms without streaming
  if (response.body == null) {
    const text = await response.text()
    return new TextEncoder().encode(text).length > bytesMax ? undefined : text
  }
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
