/** nginx serving one body as a static file, in the foreground as a single process. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProcess } from '../process.mjs'

const READY_TRIES = 100
const READY_POLL_MS = 20

/**
 * Three ports: one with Debian's defaults, which log every request; one without the access log, to which the target refers; and
 * one tuned for small files.
 */
const configuration = (folder, { packaged, plain, tuned }) => `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off; default_type application/json; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  client_body_temp_path ${folder}/t1; proxy_temp_path ${folder}/t2; fastcgi_temp_path ${folder}/t3;
  uwsgi_temp_path ${folder}/t4; scgi_temp_path ${folder}/t5;
  server { listen 127.0.0.1:${packaged}; root ${folder}/www; access_log ${folder}/access.log; gzip on; }
  server { listen 127.0.0.1:${plain}; root ${folder}/www; }
  server { listen 127.0.0.1:${tuned}; root ${folder}/www; sendfile off; open_file_cache max=100 inactive=1h;
    open_file_cache_valid 1h; }
}
`

/** nginx cannot pick a port by itself. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

const answers = port =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

/** @returns {Promise<{pid: number, ports: {packaged: number, plain: number, tuned: number}, stop(): Promise<void>}>} */
export async function startNginx(folder, body) {
  mkdirSync(join(folder, 'www'), { recursive: true })
  writeFileSync(join(folder, 'www', 'lookup.json'), body)
  const ports = { packaged: await freePort(), plain: await freePort(), tuned: await freePort() }
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, ports))
  // nginx prints nothing when it is ready
  const args = ['-c', 'echo started; exec nginx -p "$1" -c "$2"', 'nginx', folder, file]
  const server = await startProcess({ command: 'sh', args, isReady: output => /started/.test(output) && {} })
  for (let i = 0; i < READY_TRIES; i++) {
    if (await answers(ports.plain)) return { ...server, ports }
    await wait(READY_POLL_MS)
  }
  await server.stop()
  throw new Error('nginx did not start')
}
