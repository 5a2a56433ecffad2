/** Load on one address of this machine, bounded in time. wrk where it is installed, sockets of our own elsewhere. */
import { execFile, execFileSync } from 'node:child_process'
import { connect } from 'node:net'

const CONNECTIONS = 64

export function hasWrk() {
  try {
    execFileSync('which', ['wrk'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** @returns {Promise<number>} answered requests */
export function load({ port, path, headers, seconds }) {
  return hasWrk() ? wrkLoad({ port, path, headers, seconds }) : socketLoad({ port, path, headers, seconds })
}

function wrkLoad({ port, path, headers, seconds }) {
  const args = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`]
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`)
  args.push(`http://127.0.0.1:${port}${path}`)
  return new Promise((resolve, reject) => {
    execFile('wrk', args, (error, stdout) => {
      const count = /(\d+) requests in/.exec(stdout)?.[1]
      if (error || count === undefined) reject(error ?? new Error(stdout))
      else resolve(Number(count))
    })
  })
}

function socketLoad({ port, path, headers, seconds }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}\r\n`)
  let answered = 0
  const one = deadline =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      let missing = -1
      socket.on('data', data => {
        // an answer is counted once its body is there; it may come in parts
        if (missing < 0) {
          const text = data.toString('latin1')
          const end = text.indexOf('\r\n\r\n')
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
          missing = length - (data.length - end - 4)
        } else missing -= data.length
        if (missing > 0) return
        missing = -1
        answered++
        if (Date.now() < deadline) socket.write(request)
        else socket.end()
      })
      socket.on('error', reject)
      socket.on('close', resolve)
    })
  const deadline = Date.now() + seconds * 1000
  return Promise.all(Array.from({ length: CONNECTIONS }, () => one(deadline))).then(() => answered)
}
