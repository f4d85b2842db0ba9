/** What a real API server makes of objects of the kinds that workloads bring along, and what it refuses. */
import { describe, expect, it } from 'vitest'
import { allKinds } from './kinds'
import type { Kind } from './kind'
import { apiVersionOf } from './kind'
import { otherVersions } from './kinds/other-versions'
import type { UnknownObject } from './object'
import { strategyOf } from './strategy'

const context = { namespace: 'ns', now: '2026-01-02T03:04:05Z', uid: () => 'id-1' }
const kindOf = (word: string): Kind =>
  [...allKinds, ...otherVersions].find((kind) => kind.kind === word || `${apiVersionOf(kind)} ${kind.kind}` === word)!

function draft(word: string, fields: object): UnknownObject {
  const kind = kindOf(word)
  const metadata = { name: 'x', namespace: 'ns', uid: 'U' }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...fields } as unknown as UnknownObject
}

function create(word: string, fields: object): UnknownObject {
  return strategyOf(kindOf(word)).create(draft(word, fields), context)
}

const container = { name: 'c', image: 'x' }
const ending = { metadata: { labels: { a: 'b' } }, spec: { containers: [container], restartPolicy: 'Never' } }
const job = { template: ending }
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } }
const http = (path: object) => ({ spec: { rules: [{ http: { paths: [path] } }] } })
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'w' }

describe('new objects are completed', () => {
  it.each<[string, string, object, object]>([
    [
      'a CronJob, but not the jobs that it will make',
      'CronJob',
      { spec: { schedule: '@daily', jobTemplate: { spec: job } } },
      {
        metadata: { generation: 1 },
        status: {},
        spec: {
          concurrencyPolicy: 'Allow',
          suspend: false,
          successfulJobsHistoryLimit: 3,
          failedJobsHistoryLimit: 1,
          jobTemplate: { metadata: {}, spec: { template: { spec: { dnsPolicy: 'ClusterFirst' } } } },
        },
      },
    ],
    [
      'a Job, which finds its pods by its uid',
      'Job',
      { spec: job },
      {
        spec: {
          completions: 1,
          parallelism: 1,
          backoffLimit: 6,
          suspend: false,
          completionMode: 'NonIndexed',
          selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'U' } },
          template: { metadata: { labels: { a: 'b', 'job-name': 'x', 'batch.kubernetes.io/job-name': 'x' } } },
        },
      },
    ],
    [
      'an Ingress',
      'Ingress',
      { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } } },
      { status: { loadBalancer: {} } },
    ],
    [
      'a claim, its amount in canonical form',
      'PersistentVolumeClaim',
      { spec: claim },
      { spec: { volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } }, status: { phase: 'Pending' } },
    ],
    [
      'a volume, which waits since now',
      'PersistentVolume',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      {
        spec: { persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: '/x', type: '' } },
        status: { phase: 'Pending', lastPhaseTransitionTime: context.now },
      },
    ],
    [
      'a StorageClass',
      'StorageClass',
      { provisioner: 'p' },
      { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
    ],
    [
      'a budget of none',
      'PodDisruptionBudget',
      { spec: { minAvailable: 0 } },
      { spec: { minAvailable: 0 }, status: { disruptionsAllowed: 0 } },
    ],
    [
      'an autoscaler without metrics',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 3, scaleTargetRef: target } },
      {
        spec: { minReplicas: 1, metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 80 } } }] },
        status: { desiredReplicas: 0, currentMetrics: null },
      },
    ],
    [
      'a slice of endpoints',
      'EndpointSlice',
      { addressType: 'IPv4', ports: [{ port: 80 }] },
      { endpoints: null, ports: [{ name: '', protocol: 'TCP', port: 80 }], metadata: { generation: 1 } },
    ],
    [
      'a policy for what goes out',
      'NetworkPolicy',
      { spec: { egress: [{}] } },
      { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } },
    ],
    ['a PriorityClass of 0', 'PriorityClass', {}, { value: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      'a quota, its amounts in canonical form',
      'ResourceQuota',
      { spec: { hard: { cpu: '1000m', pods: 2 } } },
      { spec: { hard: { cpu: '1', pods: '2' } }, status: {} },
    ],
    [
      'a limit range: the most is the limit, the limit is the request',
      'LimitRange',
      { spec: { limits: [{ type: 'Container', max: { cpu: 1 }, min: { memory: '1Mi' } }] } },
      { spec: { limits: [{ default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '1Mi' } }] } },
    ],
    ['a revision without a number', 'ControllerRevision', { data: {} }, { revision: 0 }],
    ['a LimitRange without limits', 'LimitRange', { spec: { limits: [] } }, { spec: { limits: null } }],
    [
      'a ReplicationController, from the labels of its template',
      'ReplicationController',
      { spec: { template: { ...ending, spec: { containers: [container] } } } },
      { metadata: { labels: { a: 'b' } }, spec: { replicas: 1, selector: { a: 'b' } }, status: { replicas: 0 } },
    ],
    [
      'an autoscaler in version 1, without a metric',
      'autoscaling/v1 HorizontalPodAutoscaler',
      { spec: { maxReplicas: 3, scaleTargetRef: target } },
      { spec: { minReplicas: 1 }, status: { currentReplicas: 0 } },
    ],
  ])('%s', (_, word, fields, expected) => {
    expect(create(word, fields)).toMatchObject(expected)
  })
})

describe('what a server adds by itself', () => {
  const spec = { containers: [{ name: 'c', image: 'i:1' }] }
  it.each<[string, string, object, object]>([
    ['a priority and tolerations', 'Pod', { spec }, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    ['families of addresses', 'Service', { spec: {} }, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }],
    ['both families, without a selector', 'Service', { spec: { clusterIP: 'None' } }, { ipFamilies: ['IPv4', 'IPv6'] }],
  ])('%s is no default', (_, word, fields, added) => {
    const strategy = strategyOf(kindOf(word))
    const given = draft(word, fields)
    expect(strategy.complete(given)).toMatchObject({ spec: added })
    for (const name of Object.keys(added)) expect(strategy.applyDefaults(given).spec).not.toHaveProperty(name)
  })

  it('keeps the priority of a pod', () => {
    const old = draft('Pod', { spec: { ...spec, priority: 7, preemptionPolicy: 'Never' } })
    expect(strategyOf(kindOf('Pod')).complete(draft('Pod', { spec }), old).spec).toMatchObject({
      priority: 7,
      preemptionPolicy: 'Never',
    })
  })
})

describe('new objects are refused', () => {
  it.each<[string, string, object, string]>([
    [
      'a schedule that no clock shows',
      'CronJob',
      { spec: { schedule: '61 * * * *', jobTemplate: { spec: job } } },
      'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
    ],
    [
      'a schedule with too few fields',
      'CronJob',
      { spec: { schedule: 'x', jobTemplate: { spec: job } } },
      'expected exactly 5 fields, found 1: [x]',
    ],
    [
      'a zone that is nowhere',
      'CronJob',
      { spec: { schedule: '@daily', timeZone: 'Mars/Base', jobTemplate: { spec: job } } },
      'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
    ],
    [
      'a job whose pods never end',
      'Job',
      { spec: { template: { spec: { containers: [container] } } } },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      'an Ingress to nowhere',
      'Ingress',
      { spec: {} },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    [
      'a path without its type',
      'Ingress',
      http({ path: '/', backend: { service: { name: 's', port: { number: 1 } } } }),
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    [
      'a relative path',
      'Ingress',
      http({ path: 'a', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'p' } } } }),
      'path: Invalid value: "a": must be an absolute path',
    ],
    [
      'a backend without a port',
      'Ingress',
      http({ path: '/', pathType: 'Exact', backend: { service: { name: 's' } } }),
      'backend: Required value: port name or number is required',
    ],
    [
      'a claim on nothing',
      'PersistentVolumeClaim',
      { spec: { accessModes: ['ReadWriteOnce'] } },
      'spec.resources[storage]: Required value',
    ],
    [
      'an unknown access mode',
      'PersistentVolumeClaim',
      { spec: { ...claim, accessModes: ['No'] } },
      'spec.accessModes: Unsupported value: "No": supported values: "ReadOnlyMany"',
    ],
    [
      'a volume that is nowhere',
      'PersistentVolume',
      { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
      'spec: Required value: must specify a volume type',
    ],
    [
      'a budget with both limits',
      'PodDisruptionBudget',
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      'minAvailable and maxUnavailable cannot be both set',
    ],
    [
      'more than all',
      'PodDisruptionBudget',
      { spec: { minAvailable: '101%' } },
      'spec.minAvailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      'an autoscaler without a most',
      'HorizontalPodAutoscaler',
      { spec: { scaleTargetRef: target } },
      'spec.maxReplicas: Required value: must be set and greater than 0',
    ],
    [
      'an autoscaler of fewer than none',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: -1, scaleTargetRef: target } },
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
    ],
    [
      'an autoscaler of a core kind',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 1, scaleTargetRef: { ...target, apiVersion: 'v1' } } },
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
    [
      'an autoscaler of a malformed version',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 1, scaleTargetRef: { ...target, apiVersion: 'a/b/c' } } },
      'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    [
      'a quota that is no amount',
      'ResourceQuota',
      { spec: { hard: { pods: true } } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'a Job whose selector finds other pods',
      'Job',
      { spec: { ...job, manualSelector: true, selector: { matchLabels: { no: 'pods' } } } },
      '`selector` does not match template `labels`',
    ],
    ['a revision of nothing', 'ControllerRevision', { revision: 1 }, 'data: Required value: data is mandatory'],
    [
      'a volume without a capacity',
      'PersistentVolume',
      { spec: { accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      '[spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage"]',
    ],
    [
      'a metric without its source',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 1, scaleTargetRef: target, metrics: [{ type: 'Pods' }] } },
      'spec.metrics[0].pods: Required value: must populate information for the given metric source',
    ],
    [
      'an ingress rule with an empty peer',
      'NetworkPolicy',
      { spec: { ingress: [{ from: [{}] }] } },
      'spec.ingress[0].from[0]: Required value: must specify a peer',
    ],
    [
      'the priority of the system',
      'PriorityClass',
      { value: 1_000_000_001 },
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
    [
      'a least above the most',
      'LimitRange',
      { spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] } },
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ],
    ['a storage class without a provisioner', 'StorageClass', {}, 'provisioner: Required value'],
    ['an event without a time', 'events.k8s.io/v1 Event', { type: 'Normal' }, 'eventTime: Required value'],
    [
      'a series of one',
      'events.k8s.io/v1 Event',
      { series: { count: 1 } },
      'series.count: Invalid value: "": should be at least 2',
    ],
    [
      'a roll-out that can never move',
      'Deployment',
      {
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { ...ending, spec: { containers: [container] } },
          strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
        },
      },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ],
  ])('%s', (_, word, fields, text) => {
    expect(() => create(word, fields)).toThrow(text)
  })
})

describe('updates are refused', () => {
  const volume = { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } }
  it.each<[string, string, object, object, string]>([
    [
      'another template of a job',
      'Job',
      { spec: job },
      { spec: { template: { ...ending, spec: { ...ending.spec, containers: [{ name: 'c', image: 'y' }] } } } },
      'spec.template: Invalid value',
    ],
    [
      'another class of a claim',
      'PersistentVolumeClaim',
      { spec: { ...claim, storageClassName: 'x' } },
      { spec: { ...claim, storageClassName: 'y' } },
      'spec: Forbidden: spec is immutable after creation except resources.requests',
    ],
    [
      'another place of a volume',
      'PersistentVolume',
      volume,
      { spec: { ...volume.spec, hostPath: { path: '/y' } } },
      'spec.persistentvolumesource: Forbidden',
    ],
    [
      'another provisioner',
      'StorageClass',
      { provisioner: 'p' },
      { provisioner: 'q' },
      'provisioner: Invalid value: "q": field is immutable',
    ],
    [
      'another priority',
      'PriorityClass',
      { value: 1 },
      { value: 2 },
      'value: Forbidden: may not be changed in an update.',
    ],
    [
      'other recorded data',
      'ControllerRevision',
      { revision: 1, data: { a: 1 } },
      { revision: 1, data: { a: 2 } },
      'data: Invalid value: {"a":2}: field is immutable',
    ],
    [
      'another family of addresses',
      'EndpointSlice',
      { addressType: 'IPv4', endpoints: [] },
      { addressType: 'IPv6', endpoints: [] },
      'addressType: Invalid value: "IPv6": field is immutable',
    ],
  ])('%s', (...[, word, before, after, text]) => {
    const old = create(word, before)
    expect(() => strategyOf(kindOf(word)).update({ ...old, ...after } as UnknownObject, old, context)).toThrow(text)
  })
})

describe('the generation', () => {
  it.each<[string, object, object, number | undefined]>([
    [
      'CronJob',
      { spec: { schedule: '@daily', jobTemplate: { spec: job } } },
      { spec: { schedule: '@weekly', jobTemplate: { spec: job } } },
      2,
    ],
    ['EndpointSlice', { addressType: 'IPv4', endpoints: [] }, { metadata: { name: 'x', labels: { a: 'b' } } }, 2],
    ['PriorityClass', { value: 1 }, { description: 'd' }, 1],
    [
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 1, scaleTargetRef: target } },
      { spec: { maxReplicas: 2, scaleTargetRef: target } },
      undefined,
    ],
  ])('of a %s', (word, before, after, generation) => {
    const old = create(word, before)
    const next = strategyOf(kindOf(word)).update({ ...old, ...after } as UnknownObject, old, context)
    expect(next.metadata.generation).toBe(generation)
  })
})

describe('an autoscaler in another version', () => {
  const { read, write } = kindOf('autoscaling/v1 HorizontalPodAutoscaler').storedAs!
  const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } }
  const pods = { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } } }
  const stored = {
    ...draft('HorizontalPodAutoscaler', { spec: { maxReplicas: 3, scaleTargetRef: target, metrics: [cpu, pods] } }),
    status: {
      desiredReplicas: 1,
      currentReplicas: 1,
      currentMetrics: null,
      conditions: [{ type: 'A', status: 'True' }],
    },
  }

  it('shows the share of CPU, and keeps the rest in annotations', () => {
    const shown = read(stored)
    expect(shown.spec).toEqual({ maxReplicas: 3, scaleTargetRef: target, targetCPUUtilizationPercentage: 70 })
    expect(shown.metadata.annotations?.['autoscaling.alpha.kubernetes.io/metrics']).toBe(JSON.stringify([pods]))
  })

  it('comes back as it was', () => {
    expect(write(read(stored))).toEqual(stored)
  })
})
