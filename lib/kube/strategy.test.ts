import { describe, expect, it } from 'vitest'
import {
  clusterRole,
  configMap,
  deployment,
  event,
  namespace,
  node,
  pod,
  resourceBinding,
  secret,
  service,
  workloadRebalancer,
} from './kinds'
import { KubeError } from './errors'
import type { Kind } from './kind'
import type { UnknownObject } from './object'
import { strategyOf } from './strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }

function draft(kind: Kind, fields: object, metadata: object = {}): UnknownObject {
  return {
    apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version,
    kind: kind.kind,
    metadata: { name: 'web', namespace: 'ns', ...metadata },
    ...fields,
  } as UnknownObject
}

const create = (kind: Kind, fields: object, metadata?: object) =>
  strategyOf(kind).create(draft(kind, fields, metadata), context)
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.25' }] } }
const web = { spec: { selector: { matchLabels: { app: 'web' } }, template } }

describe('a Deployment', () => {
  it('is completed as a real API server completes it', () => {
    expect(create(deployment, { ...web, status: { replicas: 9 } })).toEqual(
      draft(
        deployment,
        {
          spec: {
            replicas: 1,
            selector: { matchLabels: { app: 'web' } },
            template: {
              metadata: { labels: { app: 'web' } },
              spec: {
                containers: [
                  {
                    name: 'c',
                    image: 'nginx:1.25',
                    resources: {},
                    terminationMessagePath: '/dev/termination-log',
                    terminationMessagePolicy: 'File',
                    imagePullPolicy: 'IfNotPresent',
                  },
                ],
                restartPolicy: 'Always',
                terminationGracePeriodSeconds: 30,
                dnsPolicy: 'ClusterFirst',
                securityContext: {},
                schedulerName: 'default-scheduler',
              },
            },
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
            revisionHistoryLimit: 10,
            progressDeadlineSeconds: 600,
          },
          status: {},
        },
        { generation: 1 },
      ),
    )
  })

  it('stays the same when it is written again', () => {
    const stored = create(deployment, web)
    expect(strategyOf(deployment).update(stored, stored, context)).toEqual(stored)
  })

  it.each([
    ['labels', { labels: { a: 'b' } }, {}, 1],
    ['annotations', { annotations: { a: 'b' } }, {}, 2],
    ['the spec', {}, { paused: true }, 2],
  ])('a change of %s gives the expected generation', (_, metadata, spec, generation) => {
    const stored = create(deployment, web)
    const next = {
      ...stored,
      metadata: { ...stored.metadata, ...metadata },
      spec: { ...(stored.spec as object), ...spec },
    }
    expect(strategyOf(deployment).update(next, stored, context).metadata.generation).toBe(generation)
  })

  it.each<[string, object, string]>([
    ['no spec', {}, 'spec.selector: Required value'],
    [
      'a selector that misses the template',
      { spec: { ...web.spec, selector: { matchLabels: { app: 'x' } } } },
      'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
    ],
    [
      'no image',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [{ name: 'c' }] } } } },
      'spec.template.spec.containers[0].image: Required value',
    ],
    [
      'no name',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [{ image: 'x' }] } } } },
      'spec.template.spec.containers[0].name: Required value',
    ],
    [
      'a container that is null',
      { spec: { ...web.spec, template: { ...template, spec: { containers: [null] } } } },
      'spec.template.spec.containers[0].name: Required value',
    ],
    [
      'negative replicas',
      { spec: { ...web.spec, replicas: -1 } },
      'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'another restart policy',
      { spec: { ...web.spec, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'a request that is no quantity',
      {
        spec: {
          ...web.spec,
          template: {
            ...template,
            spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: 'lots' } } }] },
          },
        },
      },
      'Deployment in version "v1" cannot be handled as a Deployment: quantities must match the regular expression',
    ],
  ])('with %s is refused', (_, fields, text) => {
    expect(() => create(deployment, fields)).toThrow(text)
  })

  it('keeps its selector', () => {
    const stored = create(deployment, web)
    const labels = { app: 'x' }
    const next = {
      ...stored,
      spec: { ...web.spec, selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } },
    }
    expect(() => strategyOf(deployment).update(next, stored, context)).toThrow(
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"x"}}: field is immutable',
    )
  })

  it('refuses a value of a wrong type while decoding', () => {
    expect(() => create(deployment, { spec: { ...web.spec, replicas: 'many' } })).toThrow(
      expect.objectContaining({
        code: 400,
        message: expect.stringMatching(
          /^Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string/,
        ),
      }),
    )
  })

  it.each<[string, object, string]>([
    ['pull policy', { imagePullPolicy: 'Often' }, '"Always", "IfNotPresent", "Never"'],
    ['protocol', { ports: [{ containerPort: 80, protocol: 'ICMP' }] }, '"SCTP", "TCP", "UDP"'],
  ])('knows no other %s', (_, fields, values) => {
    const spec = { containers: [{ name: 'c', image: 'x', ...fields }] }
    expect(() => create(deployment, { spec: { ...web.spec, template: { ...template, spec } } })).toThrow(
      `supported values: ${values}`,
    )
  })

  it('has a selector that selects', () => {
    expect(() => create(deployment, { spec: { ...web.spec, selector: {} } })).toThrow(
      'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
    )
  })

  it('writes resources in canonical form and takes a missing request from the limit', () => {
    const resources = { limits: { cpu: '1000m', memory: '1024Mi' }, requests: { cpu: 0.5 } }
    const stored = create(deployment, {
      spec: { ...web.spec, template: { ...template, spec: { containers: [{ name: 'c', image: 'x', resources }] } } },
    })
    const [container] = (
      stored as unknown as {
        spec: { template: { spec: { containers: { resources: object; imagePullPolicy: string }[] } } }
      }
    ).spec.template.spec.containers
    expect(container?.resources).toEqual({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '500m', memory: '1Gi' },
    })
    expect(container?.imagePullPolicy).toBe('Always')
  })

  it('takes annotations but no labels and no spec through its status', () => {
    const stored = create(deployment, web)
    const next = {
      ...stored,
      spec: {},
      status: { replicas: 2 },
      metadata: { ...stored.metadata, labels: { l: '1' }, annotations: { a: '1' } },
    }
    expect(strategyOf(deployment).updateStatus(next, stored)).toEqual({
      ...stored,
      status: { replicas: 2 },
      metadata: { ...stored.metadata, annotations: { a: '1' } },
    })
  })
})

describe('core kinds', () => {
  it('a Pod gets what admission adds and starts pending', () => {
    const stored = create(pod, { spec: { containers: [{ name: 'c', image: 'nginx' }] } }) as unknown as {
      spec: object
      status: object
    }
    expect(stored.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' })
    expect(stored.spec).toMatchObject({
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    })
  })

  it('a Pod changes only its images afterwards', () => {
    const stored = create(pod, { spec: { containers: [{ name: 'c', image: 'nginx' }] } })
    const change = (fields: object) =>
      strategyOf(pod).update({ ...stored, spec: { ...(stored.spec as object), ...fields } }, stored, context)
    expect(change({ containers: [{ name: 'c', image: 'busybox' }] }).metadata.generation).toBe(2)
    expect(() => change({ nodeName: 'n' })).toThrow(
      'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    )
  })

  it('a ConfigMap drops what is empty, has no generation, and stays when immutable', () => {
    const stored = create(
      configMap,
      { data: { a: '' }, binaryData: {}, immutable: true },
      { labels: {}, annotations: null, finalizers: [] },
    )
    expect(stored).toEqual(draft(configMap, { data: { a: '' }, immutable: true }))
    expect(() => strategyOf(configMap).update({ ...stored, data: { a: 'b' } }, stored, context)).toThrow(
      'ConfigMap "web" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    )
    expect(() => create(configMap, { data: { x: '1' }, binaryData: { x: 'AAE=' } })).toThrow(
      'data[x]: Invalid value: "x": duplicate of key present in binaryData',
    )
  })

  it('a Namespace is active, labelled and held', () => {
    const stored = create(namespace, { spec: { finalizers: ['ex.test/hold'] } }, { name: 'team', namespace: undefined })
    expect(stored).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'team' } },
      spec: { finalizers: ['ex.test/hold', 'kubernetes'] },
      status: { phase: 'Active' },
    })
    expect(() => create(namespace, {}, { name: 'Upper' })).toThrow('a lowercase RFC 1123 label must consist of')
    expect(() => strategyOf(namespace).updateStatus({ ...stored, status: { phase: 'Terminating' } }, stored)).toThrow(
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    )
  })

  it('a Secret encodes its texts', () => {
    expect(create(secret, { stringData: { a: 'grüße 🎉', b: 'ab' } })).toMatchObject({
      type: 'Opaque',
      data: { a: 'Z3LDvMOfZSDwn46J', b: 'YWI=' },
    })
  })

  it('a Secret holds base64 and an Event holds times', () => {
    expect(() => create(secret, { data: { a: '***' } })).toThrow('illegal base64 data at input byte 0')
    const about = { involvedObject: { kind: 'X', namespace: 'ns' } }
    expect(() => create(event, { ...about, lastTimestamp: 'now' })).toThrow('parsing time "now"')
  })

  it('a Service completes its ports', () => {
    expect(create(service, { spec: { ports: [{ port: 80 }], clusterIP: 'None' } })).toMatchObject({
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      },
      status: { loadBalancer: {} },
    })
  })

  it('a Node keeps the status it registers with', () => {
    expect(create(node, { status: { capacity: { cpu: '4000m' } } })).toMatchObject({
      status: { capacity: { cpu: '4' }, allocatable: { cpu: '4' } },
    })
  })

  it('an Event is about something in its namespace', () => {
    expect(() => create(event, { involvedObject: { kind: 'X', namespace: 'other' } })).toThrow(
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    )
    expect(create(event, { involvedObject: { kind: 'X', namespace: 'ns' } })).toMatchObject({
      eventTime: null,
      reportingComponent: '',
    })
  })

  it('a ClusterRole says what may be done', () => {
    expect(() => create(clusterRole, { rules: [{ resources: ['pods'], apiGroups: [''] }] })).toThrow(
      'rules[0].verbs: Required value: verbs must contain at least one value',
    )
    expect(create(clusterRole, {}, { name: 'system:x' }).metadata.name).toBe('system:x')
  })
})

describe('any kind', () => {
  const junk = [null, [], {}, '', 0, -1, 1.5, true, 'x', [null], { a: null }, [[]], [{}]]

  it.each<[string, Kind, object]>([
    ['Deployment', deployment, web],
    ['Pod', pod, { spec: template.spec }],
    ['Service', service, { spec: { ports: [{ port: 80 }] } }],
    ['ResourceBinding', resourceBinding, { spec: { resource: { apiVersion: 'v1', kind: 'A', name: 'a' } } }],
  ])('%s answers junk in any place with an object or a refusal', (_, kind, fields) => {
    const stored = create(kind, fields)
    for (const path of pathsOf(stored)) {
      for (const value of junk) {
        const spoilt = withValueAt(stored, path, value) as UnknownObject
        for (const write of [
          () => strategyOf(kind).create(spoilt, context),
          () => strategyOf(kind).update(spoilt, stored, context),
          () => strategyOf(kind).updateStatus(spoilt, stored),
        ]) {
          expect(outcomeOf(write)).toMatch(/^(stored|KubeError)$/)
        }
      }
    }
  })
})

function outcomeOf(write: () => unknown): string {
  try {
    write()
    return 'stored'
  } catch (error) {
    return error instanceof KubeError ? 'KubeError' : String(error)
  }
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  const below = Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]))
  return path.length > 0 ? [path, ...below] : below
}

function withValueAt(object: unknown, [first, ...rest]: string[], value: unknown): unknown {
  if (first === undefined) return value
  const child = withValueAt((object as Record<string, unknown>)[first], rest, value)
  return Array.isArray(object) ? object.with(Number(first), child) : { ...(object as object), [first]: child }
}

describe('a custom kind', () => {
  it('raises its generation for its spec only', () => {
    const stored = create(workloadRebalancer, {
      spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }] },
      status: { finishTime: 'x' },
    })
    expect(stored).not.toHaveProperty('status')
    expect(stored.metadata.generation).toBe(1)
    const strategy = strategyOf(workloadRebalancer)
    const annotated = { ...stored, metadata: { ...stored.metadata, annotations: { a: 'b' } } }
    expect(strategy.update(annotated, stored, context).metadata.generation).toBe(1)
    const longer = { ...stored, spec: { ...(stored.spec as object), ttlSecondsAfterFinished: 0 } }
    expect(strategy.update(longer, stored, context)).toMatchObject({
      metadata: { generation: 2 },
      spec: { ttlSecondsAfterFinished: 0 },
    })
  })

  it('names fields of a refused status without their root, as the real server does', () => {
    const stored = draft(resourceBinding, { spec: { resource: { apiVersion: 'v1', kind: 'A', name: 'a' } } })
    expect(() =>
      strategyOf(resourceBinding).updateStatus(
        {
          ...stored,
          status: {
            conditions: [{ type: 'A', status: 'True', reason: '', message: 'm', lastTransitionTime: context.now }],
          },
        },
        stored,
      ),
    ).toThrow(
      'status.conditions[0].reason: Invalid value: "": conditions[0].reason in body should be at least 1 chars long',
    )
  })

  it('reports unknown fields', () => {
    const { unknownFields } = strategyOf(workloadRebalancer).decode(
      draft(workloadRebalancer, { zzz: 1, spec: { nope: 1, workloads: [] } }),
    )
    expect(unknownFields).toEqual(['spec.nope', 'zzz'])
  })

  it.each([null, 'x', [], {}, { metadata: null }])('made of %j is only missing its name', (body) => {
    for (const kind of [workloadRebalancer, configMap]) {
      expect(() => strategyOf(kind).create(body as never, context)).toThrow('metadata.name: Required value')
    }
  })

  it('has metadata of the right types', () => {
    expect(() => create(workloadRebalancer, {}, { labels: { a: 1 } })).toThrow(
      'WorkloadRebalancer in version "v1alpha1" cannot be handled as a WorkloadRebalancer: json: cannot unmarshal number',
    )
    expect(strategyOf(workloadRebalancer).mismatchOf({ metadata: { finalizers: 'x' } })).toContain('of type []string')
  })

  it.each<[object, string]>([
    [{ name: '' }, 'metadata.name: Required value: name or generateName is required'],
    [{ name: 'Bad_' }, 'metadata.name: Invalid value: "Bad_": a lowercase RFC 1123 subdomain must consist of'],
    [{ name: 'x'.repeat(254) }, 'must be no more than 253 characters'],
    [{ labels: { 'a b': '1' } }, 'metadata.labels: Invalid value: "a b": name part must consist of'],
    [{ annotations: { a: 'x'.repeat(262_144) } }, 'metadata.annotations: Too long: may not be more than 262144 bytes'],
    [
      { ownerReferences: [{ kind: 'X' }] },
      '[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, ' +
        'metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
    ],
  ])('refuses metadata %j', (metadata, text) => {
    expect(() =>
      create(workloadRebalancer, { spec: { workloads: [{ apiVersion: 'apps/v1', kind: 'D', name: 'a' }] } }, metadata),
    ).toThrow(text)
  })

  it('is protected from deletion by its label', () => {
    expect(() =>
      strategyOf(workloadRebalancer).remove(
        draft(workloadRebalancer, {}, { labels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } }),
      ),
    ).toThrow(
      'admission webhook "resourcedeletionprotection.karmada.io" denied the request: This resource is protected',
    )
  })
})

describe('decoding what shares parts with an object that was decoded before', () => {
  const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } } }
  const decode = (object: object) => strategyOf(deployment).decode(object)
  const whole = (fields: object): UnknownObject => draft(deployment, fields, { name: 'a', labels: { on: 'yes' } })

  it.each([
    ['another status', { spec, status: { replicas: 2, conditions: [] } }],
    ['a status before it', { status: { replicas: 2, unknown: 1 }, spec }],
    ['no status', { spec }],
    ['the same part in another field', { spec, status: spec }],
    ['an unknown field beside it', { spec, extra: spec }],
  ])('gives what decoding all of it gives: %s', (_name, fields) => {
    decode(whole({ spec }))
    const alone = structuredClone(whole(fields))
    expect(JSON.stringify(decode(whole(fields)))).toBe(JSON.stringify(decode(alone)))
  })

  it('still refuses a part that does not fit, and names unknown fields every time', () => {
    const status = { replicas: 'many' }
    const odd = { ...spec, odd: 1 }
    for (let count = 0; count < 2; count++) {
      expect(() => decode(whole({ spec, status }))).toThrow(KubeError)
      expect(decode(whole({ spec: odd })).unknownFields).toEqual(['spec.odd'])
    }
  })
})
