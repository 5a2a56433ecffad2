/** Sends requests during a test and checks every answer. */
import { Agent, request } from 'node:http'
import { until } from './until.js'

export interface LoadResult {
  answered: number
  /** Requests without an answer, or with a wrong one. */
  wrong: string[]
}

export interface LoadOptions {
  port: number
  paths: readonly string[]
  headers: Record<string, string>
  connections: number
  keepAlive: boolean
  method?: string
  /** Returns the error of an answer, or undefined if the answer is right. */
  check(path: string, status: number, body: string): string | undefined
  /** Returns whether to stop. Until it returns true, a connection that the server breaks off counts as a wrong answer. */
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

/** Sends requests until `isOver`. `result` is updated while the load runs. */
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

/** Waits until each result has `count` more answers, right or wrong. */
export function moreAnswers(count: number, ...results: readonly LoadResult[]): Promise<void> {
  const answerCount = ({ answered, wrong }: LoadResult) => answered + wrong.length
  const enough = results.map(result => answerCount(result) + count)
  return until(`${count} more answers`, () => results.every((result, i) => answerCount(result) >= (enough[i] as number)))
}
