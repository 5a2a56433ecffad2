/** Server CPU per request at 64 connections: hsapi, the bare servers, nginx and the Fastify peers, in one run. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CASES, caseById, headersFor, loadOf, OBSERVED_LOOKUPS, verify } from '../cases.mjs'
import { acrossStarts, alternate } from '../rounds.mjs'
import { BARE_NAME, startBare, startBareLike, startPeer, withServers } from '../servers/all.mjs'
import { startNginx } from '../servers/nginx.mjs'
import { basesOf } from '../targets.mjs'
import { isInstalled } from '../wrk.mjs'

const NGINX_HINT = 'nginx was not measured: it is not installed (apt-get install nginx)'
const PEERS_HINT = '"npm ci --prefix bench" installs the packages of the peers; better-sqlite3 is optional'
const NGINX_PATH = '/lookup.json'
const NGINX = [
  { id: 'nginx', name: 'nginx, lookup as a file', configuration: 'plain' },
  { id: 'nginx-packaged', name: 'nginx, with its access log', configuration: 'packaged' },
  { id: 'nginx-tuned', name: 'nginx, file cache on', configuration: 'tuned' },
]
const PEERS = [
  { id: 'map', name: 'Fastify, Map, MiniSearch', script: 'fastify-map' },
  { id: 'sqlite', name: 'Fastify, SQLite FTS5', script: 'fastify-sqlite' },
]
/** Cases compared with a bare server that sends the same bytes. */
const BARE_CASES = ['children', 'search', 'lookup-path', 'path', 'lines', 'resolve']
const PEER_CASES = ['lookup', 'search']
/** Our program on Node's http module, which is used if uWebSockets.js does not load. */
const NODE_CASES = ['lookup', 'search-new', 'tariff']

const withoutTime = ({ meta: { timestamp, ...meta }, ...rest }) => ({ ...rest, meta })

/**
 * Checks that a peer returns the same record as hsapi. Its search may rank differently.
 * @returns the number of bytes in the peer's body
 */
async function verifyPeer(server, one, stage, ours) {
  const response = await fetch(`http://127.0.0.1:${server.port}${one.path}`, {
    headers: headersFor(one, stage),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const body = JSON.parse(bytes.toString('utf8'))
  assert.equal(response.status, one.status)
  assert.match(response.headers.get('x-ratelimit-remaining') ?? '', /^\d+$/)
  one.check(body, stage)
  const expected = JSON.parse(ours)
  if (one.id === 'lookup') assert.deepEqual(withoutTime(body), withoutTime(expected))
  else assert.deepEqual(Object.keys(body.meta).sort(), Object.keys(expected.meta).sort())
  return bytes.length
}

async function verifyBytes(port, path, expected) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  const body = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200)
  assert.ok(body.equals(expected), `${path} answered ${body.length} bytes, not the ${expected.length} expected`)
}

export async function cost({ stage, settings, progress, notes, folder, isWanted }) {
  const wanted = new Set()
  const want = id => {
    wanted.add(id)
    for (const base of basesOf(id)) want(base)
  }
  const peers = PEERS.flatMap(({ id }) => PEER_CASES.map(one => `${id}-${one}`))
  const ids = [
    'bare',
    ...BARE_CASES.map(id => `bare-${id}`),
    'nginx',
    'nginx-packaged',
    'nginx-tuned',
    ...CASES.map(({ id }) => id),
    ...OBSERVED_LOOKUPS.map(({ id }) => id),
    ...NODE_CASES.map(id => `node-${id}`),
    ...peers,
  ]
  for (const id of ids) if (isWanted(id)) want(id)

  const measureOnce = generation =>
    withServers(async keep => {
      const hsapi = await keep(stage.serve())
      const bodies = {}
      for (const one of CASES) bodies[one.id] = await verify(hsapi, one, stage)
      const cases = []
      const add = (id, group, name, server, load, bytes) => {
        if (wanted.has(id)) cases.push({ id, group, name, server, load, bytes })
      }

      const bare = await keep(startBareLike(hsapi, loadOf(caseById('lookup'), stage)))
      add('bare', 'bare', BARE_NAME, bare, { path: '/' }, bodies.lookup.length)
      for (const id of BARE_CASES) {
        if (!wanted.has(`bare-${id}`)) continue
        const size = bodies[id].length
        const server = await keep(startBare(size))
        await verifyBytes(server.port, '/', Buffer.alloc(size, 'x'))
        add(`bare-${id}`, 'bare', `bare, bytes of ${caseById(id).name}`, server, { path: '/' }, size)
      }

      const nginxCases = NGINX.filter(({ id }) => wanted.has(id))
      if (nginxCases.length > 0) {
        if (isInstalled('nginx')) {
          const nginx = await keep(startNginx(join(folder, 'nginx'), bodies.lookup))
          for (const { id, name, configuration } of nginxCases) {
            const port = nginx.ports[configuration]
            await verifyBytes(port, NGINX_PATH, bodies.lookup)
            add(id, 'nginx', name, { ...nginx, port }, { path: NGINX_PATH }, bodies.lookup.length)
          }
        } else if (generation === 0) notes.push(NGINX_HINT)
      }

      for (const one of CASES) {
        add(one.id, 'hsapi', one.name, hsapi, loadOf(one, stage), bodies[one.id].length)
      }

      const nodeCases = NODE_CASES.filter(id => wanted.has(`node-${id}`))
      if (nodeCases.length > 0) {
        const server = await keep(stage.serveBeside('node', { HSAPI_ENGINE: 'node' }))
        for (const one of nodeCases.map(caseById)) {
          await verify(server, one, stage)
          add(`node-${one.id}`, 'node', `${one.name}, on node:http`, server, loadOf(one, stage), bodies[one.id].length)
        }
      }

      for (const { id, name, env } of OBSERVED_LOOKUPS.filter(({ id }) => wanted.has(id))) {
        const server = await keep(stage.serveBeside(id, env))
        const one = caseById('lookup')
        await verify(server, one, stage)
        add(id, 'hsapi', name, server, loadOf(one, stage), bodies.lookup.length)
      }

      // the peers are so much slower that one start is enough
      for (const { id, name, script } of generation === 0 ? PEERS : []) {
        if (!PEER_CASES.some(one => wanted.has(`${id}-${one}`))) continue
        progress.step(`starting ${name}`)
        const own = join(folder, script)
        mkdirSync(own, { recursive: true })
        const env = {
          BENCH_KEY: stage.key,
          BENCH_DATASET: stage.dataset,
          BENCH_FOLDER: own,
          NODE_ENV: 'production',
        }
        let server
        try {
          server = await keep(startPeer(script, env))
        } catch (error) {
          notes.push(`${name} was not measured (${PEERS_HINT}): ${error.message}`)
          continue
        }
        for (const caseId of PEER_CASES) {
          const one = caseById(caseId)
          const size = await verifyPeer(server, one, stage, bodies[caseId])
          add(`${id}-${caseId}`, id, `${name}: ${one.name}`, server, loadOf(one, stage), size)
        }
      }

      const results = await alternate(cases, { ...settings, rounds: settings.roundsEach }, progress)
      return cases.map(({ id, group, name, bytes }, i) => ({ id, group, name, bytes, ...results[i] }))
    })
  return acrossStarts(settings.starts, measureOnce)
}
