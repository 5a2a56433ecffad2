/** Tests the chart as rendered by Helm. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { ROOT } from '../support/cli.js'
import { temporaryDirectory } from '../support/service.js'
import { stopSeconds } from '../support/stop-seconds.js'

const CHART = join(ROOT, 'deploy/helm/hsapi')
const require = createRequire(import.meta.url)
const skip = spawnSync('helm', ['version']).error === undefined ? false : 'helm is not installed'

// biome-ignore lint/suspicious/noExplicitAny: Kubernetes documents
type Document = any

/** Sets every optional part of the chart. */
const ALL = {
  image: { repository: 'registry.example.com/hsapi', tag: '1.2.3' },
  imagePullSecrets: [{ name: 'registry' }],
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'api', effect: 'NoSchedule' }],
  redisUrl: 'redis://:password@valkey:6379/0',
  adminToken: 'a: "token" # of signs',
  serviceMonitor: true,
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-read-timeout': '30' },
    hosts: ['hs.example.com', 'customs.example.com'],
    tls: [{ secretName: 'hs-tls', hosts: ['hs.example.com', 'customs.example.com'] }],
  },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
    adminFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    egress: [{ ports: [{ port: 6379 }] }, { ports: [{ port: 53, protocol: 'UDP' }] }],
  },
}

function helm(t: Test, command: string[], values: object): { status: number | null; output: string } {
  const file = join(temporaryDirectory(t), 'values.json')
  // JSON is also valid YAML
  writeFileSync(file, JSON.stringify(values))
  const { status, stdout, stderr } = spawnSync('helm', [...command, CHART, '--values', file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: temporaryDirectory(t) },
  })
  return { status, output: stdout + (status === 0 ? '' : stderr) }
}

function rendered(t: Test, values: object): Document[] {
  const { status, output } = helm(t, ['template', 'shop'], values)
  if (status !== 0) throw new Error(output)
  return parseAllDocuments(output).map(document => {
    if (document.errors.length > 0) throw document.errors[0]
    return document.toJS()
  })
}

const objectOf = (objects: Document[], kind: string): Document => objects.find(object => object?.kind === kind)

t.test('helm lint --strict reports nothing, with the default values and with all optional parts', { skip }, async t => {
  for (const values of [{}, ALL, { config: null }]) {
    const { status, output } = helm(t, ['lint', '--strict'], values)
    t.equal(status, 0, output)
  }
})

t.test('settings are passed to the pods as text, whatever their YAML type; null removes a setting', { skip }, async t => {
  const config = {
    HSAPI_DRAIN_SECONDS: 10,
    HSAPI_UNREAD_MB: 1_000_000,
    HSAPI_WATCH: true,
    HSAPI_SHARE_PORT: false,
    OTEL_TRACES_SAMPLER_ARG: 0.5,
    HSAPI_LOG: null,
    HSAPI_TLS_CERT: null,
    HSAPI_CHAOS: 'status=503@1% # "now": yes',
    HSAPI_SOCKET_MODE: '0660',
  }
  t.strictSame(objectOf(rendered(t, { config }), 'ConfigMap').data, {
    HSAPI_ADMIN_PORT: '9464',
    HSAPI_ADMIN_HOST: '0.0.0.0',
    HSAPI_DRAIN_SECONDS: '10',
    HSAPI_UNREAD_MB: '1000000',
    HSAPI_WATCH: 'true',
    HSAPI_SHARE_PORT: 'false',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
    HSAPI_CHAOS: 'status=503@1% # "now": yes',
    HSAPI_SOCKET_MODE: '0660',
    HSAPI_TRUST_PROXY: 'private',
    HSAPI_EXPLORER: 'key',
  })
  t.strictSame(objectOf(rendered(t, { config: null }), 'ConfigMap').data, {
    HSAPI_ADMIN_PORT: '9464',
    HSAPI_ADMIN_HOST: '0.0.0.0',
  })
})

t.test('the pods are replaced if settings or secrets change, and not for other changes', { skip }, async t => {
  const podWith = (values: object) =>
    JSON.stringify(objectOf(rendered(t, values), 'Deployment').spec.template.metadata.annotations)
  const before = podWith({ redisUrl: 'redis://a', adminToken: 'one' })
  t.equal(podWith({ redisUrl: 'redis://a', adminToken: 'one', servicePort: 81 }), before)
  t.not(podWith({ redisUrl: 'redis://b', adminToken: 'one' }), before)
  t.not(podWith({ redisUrl: 'redis://a', adminToken: 'two' }), before)
  t.not(podWith({ redisUrl: 'redis://a', adminToken: 'one', config: { HSAPI_LOG: 'text' } }), before)
})

t.test('by default the chart has no ingress, network policy or service monitor', { skip }, async t => {
  const objects = rendered(t, {})
  t.strictSame(objects.map(object => object.kind).sort(), [
    'ConfigMap',
    'Deployment',
    'HorizontalPodAutoscaler',
    'Pod',
    'PodDisruptionBudget',
    'Secret',
    'Service',
    'Service',
  ])
  const pod = objectOf(objects, 'Deployment').spec.template.spec
  t.notOk('imagePullSecrets' in pod || 'tolerations' in pod)
})

t.test('ingress, pull secrets, tolerations and admin token are as in the values', { skip }, async t => {
  const objects = rendered(t, ALL)
  const { metadata, spec } = objectOf(objects, 'Ingress')
  t.strictSame(metadata.annotations, ALL.ingress.annotations)
  t.equal(spec.ingressClassName, 'nginx')
  t.strictSame(spec.tls, ALL.ingress.tls)
  t.strictSame(
    spec.rules.map((rule: Document) => rule.host),
    ALL.ingress.hosts,
  )
  const { service } = spec.rules[0].http.paths[0].backend
  const target = objects.find(({ kind, metadata: { name } }) => kind === 'Service' && name === service.name)
  t.ok(
    target.spec.ports.some(({ name }: Document) => name === service.port.name),
    'the ingress names a port of the service',
  )
  t.throws(() => rendered(t, { ingress: { enabled: true } }), { message: /ingress\.hosts must name a host/ })
  const pod = objectOf(objects, 'Deployment').spec.template.spec
  t.strictSame(pod.imagePullSecrets, ALL.imagePullSecrets)
  t.strictSame(pod.tolerations, ALL.tolerations)
  t.equal(objectOf(objects, 'Secret').stringData.HSAPI_ADMIN_TOKEN, ALL.adminToken)
})

t.test(
  'a network policy admits the named callers to the API and to the admin port; by default it closes the admin port',
  { skip },
  async t => {
    const objects = rendered(t, ALL)
    const { spec } = objectOf(objects, 'NetworkPolicy')
    const { labels } = objectOf(objects, 'Deployment').spec.template.metadata
    t.match(labels, spec.podSelector.matchLabels)
    t.strictSame(spec.policyTypes, ['Ingress', 'Egress'])
    const { labels: testLabels } = objectOf(objects, 'Pod').metadata
    t.strictSame(spec.ingress, [
      { ports: [{ port: 'http' }], from: [...ALL.networkPolicy.from, { podSelector: { matchLabels: testLabels } }] },
      { ports: [{ port: 'admin' }], from: ALL.networkPolicy.adminFrom },
    ])
    t.strictSame(spec.egress, ALL.networkPolicy.egress)
    t.strictSame(objectOf(rendered(t, { networkPolicy: { enabled: true } }), 'NetworkPolicy').spec, {
      podSelector: spec.podSelector,
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: 'http' }] }],
    })
  },
)

/** Returns the reason to skip a test if the package is not installed. */
function skipWithoutPackage(name: string): string | false {
  try {
    require.resolve(`${name}/package.json`)
    return false
  } catch {
    return `${name} is not installed; run npm install --no-save ${name}`
  }
}

t.test(
  'every object of the chart is valid for the Kubernetes API',
  { skip: skip || skipWithoutPackage('kubernetes-models') },
  async t => {
    for (const object of rendered(t, { ...ALL, serviceMonitor: false })) {
      const { apiVersion, kind } = object
      const Model = require(`kubernetes-models/${apiVersion}/${kind}`)[kind]
      t.doesNotThrow(() => new Model(object).validate(), kind)
    }
  },
)

t.test('selectors, names and ports of the objects agree with each other', { skip }, async t => {
  const objects = rendered(t, ALL)
  const named = (kind: string, name = 'shop') => objects.find(object => object.kind === kind && object.metadata.name === name)
  const deployment = named('Deployment')
  const { labels } = deployment.spec.template.metadata
  const pod = deployment.spec.template.spec
  const [container] = pod.containers
  for (const selector of [
    deployment.spec.selector.matchLabels,
    named('PodDisruptionBudget').spec.selector.matchLabels,
    named('Service').spec.selector,
    named('Service', 'shop-admin').spec.selector,
  ])
    t.match(labels, selector)
  t.match(named('Service', 'shop-admin').metadata.labels, named('ServiceMonitor').spec.selector.matchLabels)
  t.match(named('HorizontalPodAutoscaler').spec.scaleTargetRef, { kind: 'Deployment', name: 'shop' })
  const settings = named('ConfigMap').data
  t.strictSame(
    container.envFrom.map((from: Document) => (from.configMapRef ?? from.secretRef).name),
    [named('ConfigMap').metadata.name, named('Secret').metadata.name],
  )
  const ports = new Map(container.ports.map((port: Document) => [port.name, port.containerPort]))
  t.equal(String(ports.get('admin')), settings.HSAPI_ADMIN_PORT)
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) t.equal(container[probe].httpGet.port, 'admin')
  const pauseSeconds = Number(container.lifecycle.preStop.exec.command[1])
  t.ok(pauseSeconds + stopSeconds(settings) < pod.terminationGracePeriodSeconds, 'a stopping pod has enough time to finish')
  for (const { securityContext } of [...pod.initContainers, container])
    t.match(securityContext, { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
})

t.test('misspelt values, and values of the wrong type, are refused with a message that names them', { skip }, async t => {
  const invalid: [object, RegExp][] = [
    [{ replica: 3 }, /replica is not allowed/],
    [{ image: { tags: 'x' } }, /tags is not allowed/],
    [{ config: { HSAPI_LOG: ['json'] } }, /config\.HSAPI_LOG/],
    [{ config: { LOG: 'json' } }, /config/],
    [{ config: { HSAPI_WORKER: 2 } }, /HSAPI_WORKER is not allowed/],
    [{ config: { HSAPI_ADMIN_PORT: 9000 } }, /HSAPI_ADMIN_PORT is not allowed/],
    [{ redisUrl: 'valkey:6379' }, /redisUrl/],
    [{ adminPort: '9464' }, /adminPort/],
    [{ networkPolicy: { enabled: 'yes' } }, /networkPolicy\.enabled/],
  ]
  for (const [values, message] of invalid)
    t.throws(() => rendered(t, values), { message }, `${JSON.stringify(values)} is refused`)
})

t.test('config accepts every setting, except those that the chart sets itself', async t => {
  const page = readFileSync(join(ROOT, 'docs/settings.md'), 'utf8')
  const settings = [...page.matchAll(/^\| `(HSAPI_\w+)` \|/gm)].map(([, name]) => name)
  const own = ['HSAPI_HOST', 'HSAPI_PORT', 'HSAPI_DATA_DIR', 'HSAPI_ADMIN_PORT', 'HSAPI_ADMIN_HOST']
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  t.strictSame(
    Object.keys(schema.properties.config.properties),
    settings.filter(name => !own.includes(name as string)),
  )
})

t.test('helm test runs hsapi health for the service', { skip }, async t => {
  const objects = rendered(t, { servicePort: 8088 })
  const pod = objectOf(objects, 'Pod')
  t.equal(pod.metadata.annotations['helm.sh/hook'], 'test')
  t.strictSame(pod.spec.containers[0].command, ['hsapi', 'health', '--url', 'http://shop:8088'])
  const service = objects.find(({ kind, metadata: { name } }) => kind === 'Service' && name === 'shop')
  t.equal(service.spec.ports[0].port, 8088)
  const label = 'app.kubernetes.io/name'
  t.not(pod.metadata.labels[label], service.spec.selector[label], 'the service sends no requests to the pod of the test')
})

/** Helm renders the notes only when it installs a chart, so this function renders them as a template. */
function notes(t: Test, values: object): string {
  const chart = join(temporaryDirectory(t), 'chart')
  cpSync(CHART, chart, { recursive: true })
  writeFileSync(join(chart, 'notes'), readFileSync(join(chart, 'templates/NOTES.txt')))
  writeFileSync(join(chart, 'templates/notes.yaml'), 'text: {{ tpl (.Files.Get "notes") . | toJson }}\n')
  const file = join(chart, 'test-values.json')
  writeFileSync(file, JSON.stringify(values))
  const args = ['template', 'shop', chart, '--values', file, '--show-only', 'templates/notes.yaml']
  const { status, stdout, stderr } = spawnSync('helm', args, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: temporaryDirectory(t) },
  })
  if (status !== 0) throw new Error(stderr)
  return parseAllDocuments(stdout)[0]?.toJS().text
}

t.test('the notes have the next three commands, and warn if there are no keys', { skip }, async t => {
  const withoutKeys = notes(t, {})
  t.match(withoutKeys, /NO KEYS: there is no secret "hsapi-keys"/)
  for (const command of ['helm test', 'hsapi keys create --tier pro', 'curl -H "X-Api-Key: $KEY"']) t.match(withoutKeys, command)
  const withRedis = notes(t, { redisUrl: 'redis+sentinel://a,b,c/mymaster' })
  t.notMatch(withRedis, /NO KEYS/)
  t.match(withRedis, 'exec deployment/shop -c hsapi -- hsapi keys create --tier pro')
})
