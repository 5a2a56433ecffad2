/** Requests that go on while something happens, every answer looked at. */
import { Agent, request } from 'node:http'
import { until } from './until.js'

export interface LoadResult {
  answered: number
  /** Requests that got no answer, or another than they should. */
  wrong: string[]
}

export interface LoadOptions {
  port: number
  paths: readonly string[]
  headers: Record<string, string>
  connections: number
  keepAlive: boolean
  method?: string
  /** What is wrong with an answer, if anything. */
  check(path: string, status: number, body: string): string | undefined
  /** A connection that the server said it would close is opened again; one that it cut off is not forgiven. */
  isOver(): boolean
}

function ask(agent: Agent, options: LoadOptions, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { port, headers, method = 'GET' } = options
    request({ host: '127.0.0.1', port, path, agent, headers, method }, res => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', chunk => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }))
      res.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

/** `result` fills while it goes on. */
export async function load(options: LoadOptions, result: LoadResult = { answered: 0, wrong: [] }): Promise<LoadResult> {
  const lane = async (n: number) => {
    const agent = new Agent({ keepAlive: options.keepAlive, maxSockets: 1 })
    for (let i = n; !options.isOver(); i++) {
      const path = options.paths[i % options.paths.length] as string
      try {
        const { status, body } = await ask(agent, options, path)
        const wrong = options.check(path, status, body)
        if (wrong === undefined) result.answered++
        else result.wrong.push(`${path}: ${wrong}`)
      } catch (error) {
        if (!options.isOver()) result.wrong.push(`${path}: ${(error as Error).message}`)
      }
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: options.connections }, (_, n) => lane(n)))
  return result
}

/** So many more answers, right or wrong: the load goes on beside what the test does. */
export function moreAnswers(count: number, ...results: readonly LoadResult[]): Promise<void> {
  const heard = ({ answered, wrong }: LoadResult) => answered + wrong.length
  const enough = results.map(result => heard(result) + count)
  return until(`${count} more answers`, () => results.every((result, i) => heard(result) >= (enough[i] as number)))
}
