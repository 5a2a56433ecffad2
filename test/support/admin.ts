/** Requests to the admin port of a server that a test has started. */
import type { Served } from './cli.js'

const ADMIN_PORT_LINE = /admin port: (http:\/\/\S+)/

export async function adminUrl({ output }: Served): Promise<string> {
  const deadline = Date.now() + 10_000
  while (!ADMIN_PORT_LINE.test(output())) {
    if (Date.now() > deadline) throw new Error('the server has not logged its admin port')
    await new Promise(done => setTimeout(done, 20))
  }
  return ADMIN_PORT_LINE.exec(output())?.[1] as string
}

export interface AdminAnswer {
  status: number
  code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests check the fields that they use
  data: any
  // biome-ignore lint/suspicious/noExplicitAny: tests check the fields that they use
  meta: any
}

/** Returns a function that sends a GET request, or a POST request if there is a body, which is sent as JSON. */
export function askAdmin(url: string, token?: string) {
  return async (path: string, body?: object): Promise<AdminAnswer> => {
    const headers: Record<string, string> = { connection: 'close' }
    if (token !== undefined) headers.authorization = `Bearer ${token}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(url + path, init)
    const { data, meta, error } = (await response.json()) as { data?: unknown; meta?: unknown; error?: { code: string } }
    return { status: response.status, code: error?.code, data, meta }
  }
}
