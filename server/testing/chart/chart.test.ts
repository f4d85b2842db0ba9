import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { EVERYTHING } from './everything'
import { renderChart, renderTemplate } from './render'

const CHART = 'deploy/chart'

type Template = {
  spec: {
    containers: Container[]
    volumes: { name: string }[]
    terminationGracePeriodSeconds: number
    securityContext: object
  } & Record<string, unknown>
}
interface Container {
  image: string
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } }[]
  volumeMounts: { name: string; mountPath: string }[]
  [field: string]: unknown
}

function podOf(values: object = {}): Template['spec'] {
  const [deployment] = renderChart(CHART, values)['deployment.yaml'] as [{ spec: { template: Template } }]
  return deployment.spec.template.spec
}

function containerOf(values: object = {}): Container {
  return podOf(values).containers[0] as Container
}

interface Schema {
  properties?: Record<string, Schema>
  allOf?: unknown
}

/** Paths of all properties that the schema names, sorted. */
const keysOf = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties)
    .flatMap(([key, schema]) => [key, ...keysOf(schema).map((rest) => `${key}.${rest}`)])
    .toSorted()

/** Paths of all values, sorted; without those in maps, whose keys the schema does not name. */
const keysOfValues = (values: object, { properties }: Schema): string[] =>
  Object.entries(values)
    .flatMap(([key, value]: [string, unknown]) => {
      const schema = properties?.[key]
      const inside = schema?.properties && value !== null ? keysOfValues(value as object, schema) : []
      return [key, ...inside.map((rest) => `${key}.${rest}`)]
    })
    .toSorted()

describe('the chart', () => {
  test('makes a deployment, a service and an account by default, nothing else', () => {
    const kinds = Object.values(renderChart(CHART))
      .flat()
      .map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual(['Deployment', 'Service', 'ServiceAccount'])
  })

  test('renders every optional object', () => {
    const objects = Object.values(renderChart(CHART, EVERYTHING)).flat() as {
      apiVersion: string
      kind: string
      metadata: { name: string }
    }[]
    expect(objects.map(({ kind }) => kind).toSorted()).toEqual([
      'Certificate',
      'ClusterRole',
      'ClusterRoleBinding',
      'ConfigMap',
      'Deployment',
      'HTTPRoute',
      'Ingress',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'PrometheusRule',
      'Role',
      'RoleBinding',
      'Service',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
    ])
    for (const { apiVersion, metadata } of objects) {
      expect([apiVersion, metadata.name]).toEqual([expect.any(String), expect.stringMatching(/^evenkeel/)])
    }
  })

  test.each([
    ['by default', {}],
    ['with everything', EVERYTHING],
  ])('runs without rights on its node: %s', (_, values) => {
    const pod = podOf(values)
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    })
    const mounted = values === EVERYTHING ? ['redis-ca', 'webhook-cert', 'notify'] : []
    expect(pod.volumes.map(({ name }) => name)).toEqual(['kubeconfig', ...mounted, 'data', 'tmp'])
    expect(containerOf(values).volumeMounts.map(({ name }) => name)).toEqual(['kubeconfig', ...mounted, 'data', 'tmp'])
  })

  test('leaves the process the time that it may take to end', () => {
    const pod = podOf()
    const { lifecycle } = pod.containers[0] as unknown as { lifecycle: { preStop: { sleep: { seconds: number } } } }
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(lifecycle.preStop.sleep.seconds + 20)
  })

  test('routes and scrapes the port that the Service has', () => {
    const objects = renderChart(CHART, { ...EVERYTHING, service: { port: 8080 } })
    expect(objects['service.yaml']?.[0]).toMatchObject({
      metadata: { name: 'evenkeel', labels: { 'app.kubernetes.io/instance': 'evenkeel' } },
      spec: { ports: [{ name: 'http', port: 8080 }] },
    })
    expect(objects['httproute.yaml']?.[0]).toMatchObject({
      spec: {
        parentRefs: [{ name: 'public', namespace: 'gateways' }],
        rules: [{ backendRefs: [{ name: 'evenkeel', port: 8080 }] }],
      },
    })
    expect(objects['servicemonitor.yaml']?.[0]).toMatchObject({
      spec: {
        selector: { matchLabels: { 'app.kubernetes.io/instance': 'evenkeel' } },
        endpoints: [{ port: 'http', path: '/metrics', interval: '30s' }],
      },
    })
  })

  test('orders a certificate for the name by which the webhooks are called, into the Secret that pods mount', () => {
    const [certificate] = renderChart(CHART, EVERYTHING)['certificate.yaml'] ?? []
    expect(certificate).toMatchObject({
      spec: {
        secretName: 'webhook-cert',
        dnsNames: ['evenkeel-webhook.evenkeel-system.svc', 'hooks.example.com'],
        issuerRef: { kind: 'Issuer', name: 'internal' },
      },
    })
  })

  test('asks the probes that there are', () => {
    expect(containerOf()).toMatchObject({
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
      startupProbe: { httpGet: { path: '/healthz' } },
    })
  })

  test('sets only variables that the console knows', () => {
    const names = containerOf(EVERYTHING).env.map(({ name }) => name)
    const known = readdirSync('server/config')
      .filter((name) => !name.includes('.test.'))
      .map((name) => readFileSync(`server/config/${name}`, 'utf8'))
      .join('\n')
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(known))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  test('gives secrets by reference, never in the open', () => {
    const references = containerOf(EVERYTHING).env.flatMap(({ name, valueFrom }) =>
      valueFrom ? [[name, valueFrom.secretKeyRef.name]] : [],
    )
    expect(Object.fromEntries(references)).toMatchObject({ EVENKEEL_REDIS_URL: 'redis' })
    for (const { name, value } of containerOf(EVERYTHING).env) {
      if (/SECRET|REDIS_URL|PASSWORD|TOKEN/.test(name)) expect(value).toBeUndefined()
    }
  })

  test('tells the control plane an address of the webhooks that leads to the pods', () => {
    const webhook = { enabled: true }
    const [, service] = renderChart(CHART, { webhook })['service.yaml'] as [
      object,
      { metadata: { name: string; namespace: string }; spec: object },
    ]
    expect(service.spec).toMatchObject({ ports: [{ port: 443, targetPort: 'webhook' }] })
    const { name, namespace } = service.metadata
    const container = containerOf({ webhook })
    const env = Object.fromEntries(container.env.map((each) => [each.name, each.value]))
    expect(env).toMatchObject({
      EVENKEEL_WEBHOOK_URL: `https://${name}.${namespace}.svc`,
      EVENKEEL_WEBHOOK_FAILURE_POLICY: 'Fail',
    })
    expect(container.ports).toContainEqual({ name: 'webhook', containerPort: Number(env.EVENKEEL_WEBHOOK_PORT) })
    const given = containerOf({ webhook: { enabled: true, url: 'https://hooks.example:8443' } }).env
    expect(given).toContainEqual({ name: 'EVENKEEL_WEBHOOK_URL', value: 'https://hooks.example:8443' })
  })

  test('lets through to the webhooks only who is named', () => {
    const policyOf = (values: object) =>
      renderChart(CHART, { networkPolicy: { enabled: true }, ...values })['networkpolicy.yaml'] as [{ spec: object }]
    expect(policyOf({})[0].spec).toMatchObject({ ingress: [{ ports: [{ port: 'http' }] }] })
    const [{ spec }] = policyOf({ webhook: EVERYTHING.webhook })
    expect(spec).toMatchObject({
      ingress: [{ ports: [{ port: 'http' }] }, { ports: [{ port: 'webhook' }], from: EVERYTHING.webhook.from }],
    })
  })

  test('keeps what the image expects', () => {
    const dockerfile = readFileSync('deploy/Dockerfile', 'utf8')
    expect(dockerfile).toContain('USER 65532:65532')
    expect(dockerfile.match(/^FROM .*$/gm)).toEqual(['FROM node:24-slim AS build', 'FROM node:24-slim'])
    const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(([, path]) => path as string)
    for (const path of copied.filter((path) => !/^(node_modules|\.next|dist)$/.test(path))) {
      expect(existsSync(path), path).toBe(true)
    }
  })
})

describe('the schema of values', () => {
  const defaults = parse(readFileSync(`${CHART}/values.yaml`, 'utf8')) as Record<string, unknown>
  // Conditions between values (allOf) are helm's to check: helm.test.ts.
  const { allOf: _, ...schema } = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8')) as Schema
  const accepts = (values: object): boolean => z.fromJSONSchema(schema as never).safeParse(values).success

  test('names the values that are there, and no others', () => {
    const { global: _forSubcharts, ...properties } = schema.properties ?? {}
    expect(keysOf({ properties })).toEqual(keysOfValues(defaults, { properties }))
  })
  test('accepts the default values and all optional ones', () => {
    expect(accepts(defaults)).toBe(true)
    expect(accepts(EVERYTHING)).toBe(true)
  })
  test.each([
    ['a name that is misspelled', { rbac: { created: true } }],
    ['a section that is misspelled', { podDisruptionBudgets: { enabled: true } }],
    ['names of pull secrets as texts', { image: { pullSecrets: ['registry'] } }],
    ['a switch as text', { webhook: { enabled: 'true' } }],
    ['a number of an environment variable', { env: { EVENKEEL_SIZE: 3 } }],
    ['no replica', { replicas: 0 }],
    ['a port that is none', { service: { port: 70_000 } }],
  ])('refuses %s', (_what, values) => {
    expect(accepts(values)).toBe(false)
  })
})

describe('the renderer', () => {
  const scope = { Values: { a: 'x', list: ['p', 'q'], map: { k: 'v' }, none: [], zero: 0 } }
  test.each([
    ['{{ .Values.a }}', 'x'],
    ['{{ .Values.a | quote }}', '"x"'],
    ['{{ .Values.zero | default .Values.a }}', 'x'],
    ['{{ join "," .Values.list }}', 'p,q'],
    ['{{ if contains "x" .Values.a }}yes{{ end }}', 'yes'],
    ['{{ if contains "y" .Values.a }}yes{{ end }}', ''],
    ['a:{{ toYaml .Values.map | nindent 2 }}', 'a:\n  k: v'],
    ['{{- if .Values.none }}yes{{- else }}no{{- end }}', 'no'],
    ['x\n  {{- if .Values.a }}y{{ end }}', 'xy'],
    ['{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }}{{ end }}', 'k=v'],
    ['{{ if .Values.a }}{{ if .Values.zero }}1{{ else }}2{{ end }}{{ end }}', '2'],
  ])('%s', (template, text) => {
    expect(renderTemplate(template, scope)).toBe(text)
  })

  test.each([
    '{{ .Values.missing }}',
    '{{ include "x" . }}',
    '{{ if .Values.a }}',
    '{{ end }}',
    '{{ .Values.map }}',
    '{{ range .Values.list }}{{ end }}',
    '{{ .Values.a | upper }}',
  ])('refuses %s', (template) => {
    expect(() => renderTemplate(template, scope)).toThrow()
  })
})
