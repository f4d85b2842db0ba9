/** Every kind that a member gives life to, propagated by the loops of the federation until its health and status are back. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { propagationPolicy as policyKind, resourceBinding as bindingKind } from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER, SIM_RUN_FOR } from '@/lib/kube/simulation'
import type { UnknownObject } from '@/lib/kube/object'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { workStatusController } from '@/server/reconcilers/work-status'
import { type Env, startEnv } from '@/server/testing/start-env'
import { memberSimulation } from '.'

let env: Env
beforeEach(async () => {
  env = await startEnv()
  const context = env.context()
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context),
    clusterController(context),
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
  )
  await env.client.create(policyKind, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace: 'default' },
    spec: { resourceSelectors: templates.map(({ apiVersion, kind }) => ({ apiVersion, kind })), placement: {} },
  })
  await env.createCluster('m1', { annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } })
})
afterEach(() => env.close())

const selector = { matchLabels: { app: 'x' } }
const container = { name: 'main', image: 'x' }
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } }
const oneShot = {
  metadata: { annotations: { [SIM_RUN_FOR]: '1s' } },
  spec: { restartPolicy: 'Never', containers: [container] },
}

interface Template {
  apiVersion: string
  kind: string
  path: string
  spec: object
  /** The final state of the template. */
  status: object
}

const templates: readonly Template[] = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    spec: { replicas: 2, selector, template },
    status: { replicas: 2, availableReplicas: 2 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    spec: { replicas: 2, serviceName: 'x', selector, template },
    status: { replicas: 2, availableReplicas: 2 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    path: '/apis/apps/v1/namespaces/default/daemonsets',
    spec: { selector, template },
    status: { desiredNumberScheduled: 2, numberAvailable: 2 },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    path: '/apis/batch/v1/namespaces/default/jobs',
    spec: { template: oneShot },
    status: {
      succeeded: 1,
      conditions: [
        expect.objectContaining({ type: 'Complete' }),
        expect.objectContaining({ type: 'SuccessCriteriaMet' }),
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    path: '/api/v1/namespaces/default/pods',
    spec: { containers: [container] },
    status: { phase: 'Running' },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    path: '/api/v1/namespaces/default/services',
    spec: { type: 'LoadBalancer', selector: { app: 'x' }, ports: [{ port: 80 }] },
    status: { loadBalancer: { ingress: [{ ip: expect.any(String), ipMode: 'VIP' }] } },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    spec: { defaultBackend: { service: { name: 'x', port: { number: 80 } } } },
    status: { loadBalancer: { ingress: [{ ip: expect.any(String) }] } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    path: '/api/v1/namespaces/default/persistentvolumeclaims',
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound' },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    path: '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    spec: { minAvailable: 1, selector },
    status: { desiredHealthy: 1, disruptionsAllowed: expect.any(Number) },
  },
]

test('health and status of every kind come back', async () => {
  for (const { apiVersion, kind, path, spec } of templates) {
    const { status, body } = await env.client.raw('POST', path, {
      apiVersion,
      kind,
      metadata: { name: 'x', namespace: 'default' },
      spec,
    })
    expect([kind, status, status < 400 ? '' : body]).toEqual([kind, 201, ''])
  }
  await env.eventually(
    async () => {
      const { items } = await env.client.list(bindingKind)
      const healths = items.map(({ spec, status }) => [
        spec.resource.kind,
        status?.aggregatedStatus?.map(({ health }) => health),
      ])
      expect(Object.fromEntries(healths)).toEqual(Object.fromEntries(templates.map(({ kind }) => [kind, ['Healthy']])))
    },
    { flowMs: 50 },
  )
  await env.eventually(
    async () => {
      for (const { kind, path, status } of templates) {
        const object = (await env.client.raw('GET', `${path}/x`)).body as UnknownObject
        expect([kind, object.status]).toEqual([kind, expect.objectContaining(status)])
      }
    },
    { flowMs: 50 },
  )
})
