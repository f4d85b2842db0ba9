/** Writes of the status, sound and spoiled. */
import { chance, pick } from '../../broken/mutate'
import { type Draft, type Family, get, NAMESPACE, patch, post, query, step } from '../family'
import { RICH_STATUSES } from '../rich-statuses'
import { apiVersionOf, collectionOf, nameOf, objectOf, samples } from '../samples'
import { spoil } from '../spoil'

const CONDITION = {
  type: 'Ready',
  status: 'True',
  reason: 'R',
  message: 'm',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}
const STATUSES: Readonly<Record<string, object>> = {
  Deployment: {
    observedGeneration: 1,
    replicas: 2,
    readyReplicas: 1,
    conditions: [{ ...CONDITION, type: 'Available', lastUpdateTime: '2020-01-01T00:00:00Z' }],
  },
  ReplicaSet: { replicas: 2, conditions: [CONDITION] },
  ReplicationController: { replicas: 2, conditions: [CONDITION] },
  StatefulSet: { replicas: 2, currentRevision: 'a', collisionCount: 1, conditions: [CONDITION] },
  DaemonSet: {
    currentNumberScheduled: 1,
    desiredNumberScheduled: 2,
    numberMisscheduled: 0,
    numberReady: 1,
    conditions: [CONDITION],
  },
  Job: {
    active: 1,
    startTime: '2020-01-01T00:00:00Z',
    conditions: [{ ...CONDITION, type: 'Failed', lastProbeTime: null }],
  },
  CronJob: { lastScheduleTime: '2020-01-01T00:00:00Z', active: [{ kind: 'Job', name: 'x' }] },
  Pod: {
    phase: 'Running',
    podIP: '10.1.1.1',
    hostIP: '10.2.2.2',
    conditions: [{ ...CONDITION, lastProbeTime: null }],
    containerStatuses: [
      {
        name: 'c',
        ready: true,
        restartCount: 1,
        image: 'i',
        imageID: '',
        state: { running: { startedAt: '2020-01-01T00:00:00Z' } },
      },
    ],
  },
  Service: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] }, conditions: [CONDITION] },
  Ingress: { loadBalancer: { ingress: [{ hostname: 'a.example.com' }] } },
  Node: {
    phase: 'Running',
    capacity: { cpu: '4', memory: '8Gi' },
    conditions: [{ ...CONDITION, lastHeartbeatTime: '2020-01-01T00:00:00Z' }],
    nodeInfo: { kubeletVersion: 'v1.36.0' },
    addresses: [{ type: 'InternalIP', address: '10.1.1.1' }],
  },
  Namespace: { phase: 'Active', conditions: [{ ...CONDITION, type: 'NamespaceDeletionContentFailure' }] },
  PersistentVolume: { phase: 'Available', message: 'm' },
  PersistentVolumeClaim: {
    phase: 'Bound',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    conditions: [{ ...CONDITION, type: 'Resizing' }],
  },
  ResourceQuota: { hard: { pods: '10' }, used: { pods: '1' } },
  HorizontalPodAutoscaler: { currentReplicas: 1, desiredReplicas: 2, conditions: [CONDITION] },
  PodDisruptionBudget: {
    currentHealthy: 1,
    desiredHealthy: 1,
    disruptionsAllowed: 0,
    expectedPods: 1,
    conditions: [CONDITION],
  },
  WorkloadRebalancer: {
    observedWorkloads: [{ workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, result: 'Successful' }],
  },
  ServiceExport: { conditions: [CONDITION] },
  ServiceImport: { clusters: [{ cluster: 'm' }] },
}

export const statuses: Family = {
  name: 'statuses',
  weight: 2,
  make(rng) {
    const sample = pick(
      rng,
      samples.filter(({ subresources }) => subresources?.includes('status')),
    )
    const path = collectionOf(sample)
    const at = `${path}/${nameOf(sample)}`
    const sound = pick(rng, [STATUSES[sample.kind] ?? {}, RICH_STATUSES[sample.kind] ?? {}])
    const write = (): Draft => {
      const status = chance(rng, 0.4) ? sound : spoil(rng, sound)
      const type = pick(rng, ['put', 'put', 'merge', 'strategic', 'apply'] as const)
      const whole = {
        ...objectOf(sample, 0, chance(rng, 0.3) ? { labels: { s: 't' }, annotations: { s: 't' } } : {}),
        status,
      }
      if (type === 'put')
        return step('PUT', `${at}/status`, whole, query(rng, { fieldValidation: ['Strict', 'Ignore'] }, 0.1))
      if (type === 'apply')
        return {
          ...patch(
            'apply',
            `${at}/status`,
            { apiVersion: apiVersionOf(sample), kind: sample.kind, metadata: { name: nameOf(sample) }, status },
            { query: { fieldManager: 's', force: true } },
          ),
          keepManagedFields: true,
        }
      return patch(type, `${at}/status`, { status })
    }
    return [
      NAMESPACE,
      post(path, { ...objectOf(sample), ...(chance(rng, 0.3) && { status: sound }) }),
      get(`${at}/status`),
      write(),
      write(),
      step('PUT', at, { ...objectOf(sample), status: sound }),
      get(at),
    ]
  },
}
