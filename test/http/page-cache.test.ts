import { Connection } from '../support/raw.js'
import { fixtureCatalog, makeKey, startService, testOnEngines } from '../support/service.js'

/** More pages than the cache holds. */
const OTHERS = 4_200
const BATCH = 100

/** Sends the requests without waiting for answers, because the waits would take longer than the requests. */
async function askOthers(port: number, key: string): Promise<void> {
  const connection = await Connection.open(port)
  for (let from = 0; from < OTHERS; from += BATCH) {
    const requests = Array.from(
      { length: BATCH },
      (_, i) => `GET /api/v1/search?q=ho&offset=${from + i} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\n\r\n`,
    )
    connection.text = ''
    connection.send(requests.join(''))
    await connection.until(new RegExp(`"offset":${from + BATCH - 1}\\b`))
  }
  connection.socket.destroy()
}

testOnEngines('a repeated search gives the same answer, even if other texts were searched in between', async t => {
  const key = makeKey('pro', { per_minute: 100_000, per_day: 100_000 })
  const { port, get } = await startService(t, [key], await fixtureCatalog())
  const headers = { 'x-api-key': key.key }
  const long = `q=horses&note=${'a'.repeat(300)}`
  const queries = ['q=horses', 'q=horses&limit=1', 'q=horses&limit=1&offset=1', 'q=horses&include=path,rate', 'q=a', long]
  const ask = async () => {
    const answers = []
    for (const query of queries) {
      const { status, body } = await get(`/api/v1/search?${query}`, headers)
      answers.push([query, status, (body as { data?: unknown }).data])
    }
    return answers
  }
  const first = await ask()
  t.strictSame(await ask(), first)
  await askOthers(port, key.key)
  t.strictSame(await ask(), first)
})
