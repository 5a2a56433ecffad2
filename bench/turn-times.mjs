/**
 * Loaded into a server by stalls.mjs: records the longest turn of the event loop, in CPU time of its thread. GET on the port
 * after the server's returns it and resets it; POST returns how many datasets were loaded.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const processorMs = () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6

if (isMainThread) watch()

function watch() {
  let longestMs = 0
  let loaded = 0
  let beforeMs = processorMs()
  const look = () => {
    const nowMs = processorMs()
    longestMs = Math.max(longestMs, nowMs - beforeMs)
    beforeMs = nowMs
    setImmediate(look)
  }
  setImmediate(look)
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (text, ...rest) => {
    if (/was loaded: /.test(text)) loaded++
    const port = /ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1]
    if (port !== undefined) listen(Number(port) + 1)
    return write(text, ...rest)
  }
  const listen = port =>
    createServer((req, res) => {
      res.setHeader('connection', 'close')
      if (req.method === 'POST') return res.end(String(loaded))
      res.end(String(longestMs))
      longestMs = 0
      beforeMs = processorMs()
    })
      .listen(port, '127.0.0.1')
      .unref()
}
