/**
 * Objects of every kind are propagated: built-in ones, and custom ones whose definitions are added and removed while
 * the controllers run.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findCondition, isConditionTrue } from '@/lib/kube/conditions'
import { isNotFound } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import {
  allKinds,
  clusterPropagationPolicy,
  clusterResourceBinding,
  propagationPolicy,
  resourceBinding,
} from '@/lib/kube/kinds'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { bindingNameOf } from '@/lib/kube/names'
import type { Draft, KubeObject, UnknownObject } from '@/lib/kube/object'
import { anything } from '@/lib/kube/schema'
import type { KubeClient } from '@/server/kube/client'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from './binding'
import { bindingStatusController } from './binding-status'
import { detectorController } from './detector'
import { executionController } from './execution'
import { namespaceSyncController } from './namespace-sync'
import { workStatusController } from './work-status'

type AnyKind = Kind<UnknownObject>
type Fields = Record<string, unknown>

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of ['member1', 'member2']) {
    await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
  }
  await env.createNamespace('shop')
  const context = env.context()
  await env.run(
    detectorController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    namespaceSyncController(context),
  )
})

afterEach(() => env.close())

const builtIn = (apiVersion: string, name: string): AnyKind =>
  (allKinds as readonly AnyKind[]).find((kind) => apiVersionOf(kind) === apiVersion && kind.kind === name)!

/** Creates an object with its own policy. */
async function propagate(kind: AnyKind, fields: Fields): Promise<void> {
  const selector = { apiVersion: apiVersionOf(kind), kind: kind.kind, name: 'web' }
  const policy = { apiVersion: 'policy.karmada.io/v1alpha1', spec: { resourceSelectors: [selector] } }
  const name = `web-${kind.kind.toLowerCase()}`
  await env.client.create(kind, objectOf(kind, fields))
  if (kind.scope === 'Namespaced') {
    await env.client.create(propagationPolicy, {
      ...policy,
      kind: 'PropagationPolicy',
      metadata: { namespace: 'shop', name },
    })
  } else {
    await env.client.create(clusterPropagationPolicy, {
      ...policy,
      kind: 'ClusterPropagationPolicy',
      metadata: { name },
    })
  }
}

const placeOf = (kind: AnyKind, name = 'web') => (kind.scope === 'Namespaced' ? { namespace: 'shop', name } : { name })
const objectOf = (kind: AnyKind, fields: Fields): Draft<UnknownObject> =>
  ({ apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: placeOf(kind), ...fields }) as Draft<UnknownObject>
const bindingKindOf = (kind: AnyKind) => (kind.scope === 'Namespaced' ? resourceBinding : clusterResourceBinding)
const bindingOf = (kind: AnyKind, name = 'web') =>
  env.client.get(bindingKindOf(kind), placeOf(kind, bindingNameOf(kind.kind, name)))

/** Acts as the scheduler. */
async function schedule(kind: AnyKind, clusters: readonly string[], name = 'web'): Promise<void> {
  await env.eventually(() => bindingOf(kind, name))
  await env.client.patch(bindingKindOf(kind), placeOf(kind, bindingNameOf(kind.kind, name)), {
    type: 'merge',
    value: { spec: { clusters: clusters.map((cluster) => ({ name: cluster, replicas: 1 })) } },
  })
}

async function find<T extends KubeObject>(
  client: KubeClient,
  kind: Kind<T>,
  ref: { namespace?: string; name: string },
): Promise<T | undefined> {
  try {
    return await client.get(kind, ref)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const containers = [{ name: 'main', image: 'nginx' }]
const template = { metadata: { labels: { app: 'web' } }, spec: { containers } }
const workload = { selector: { matchLabels: { app: 'web' } }, template }
const jobTemplate = { spec: { ...template.spec, restartPolicy: 'Never' } }

const built: readonly [apiVersion: string, kind: string, fields: Fields][] = [
  ['apps/v1', 'Deployment', { spec: { replicas: 1, ...workload } }],
  ['apps/v1', 'StatefulSet', { spec: { replicas: 1, serviceName: 'web', ...workload } }],
  ['apps/v1', 'DaemonSet', { spec: workload }],
  ['batch/v1', 'Job', { spec: { parallelism: 1, template: jobTemplate } }],
  ['batch/v1', 'CronJob', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: jobTemplate } } } }],
  ['v1', 'Pod', { spec: { containers } }],
  ['v1', 'Service', { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  ['networking.k8s.io/v1', 'Ingress', { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } }],
  ['v1', 'ConfigMap', { data: { a: '1' } }],
  ['v1', 'Secret', { stringData: { a: '1' } }],
  ['v1', 'ServiceAccount', {}],
  [
    'v1',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
  ['rbac.authorization.k8s.io/v1', 'Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' },
      subjects: [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  ],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'web' },
      subjects: [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
]

test('every built-in kind reaches its member, is applied, and is deleted again', async () => {
  const kinds = built.map(([apiVersion, name, fields]) => ({ kind: builtIn(apiVersion, name), fields }))
  for (const { kind, fields } of kinds) await propagate(kind, fields)
  await Promise.all(kinds.map(({ kind }) => schedule(kind, ['member1'])))
  for (const { kind } of kinds) {
    await env.eventually(async () => {
      const { status } = await bindingOf(kind)
      expect([kind.kind, status?.aggregatedStatus?.[0]]).toEqual([
        kind.kind,
        expect.objectContaining({ applied: true }),
      ])
    })
    const copy = await env.client.member('member1').get(kind, placeOf(kind))
    expect(copy.metadata.labels).toMatchObject({ 'karmada.io/managed': 'true' })
  }
  // As kubectl does. Without a policy a Job would orphan its binding.
  const options = { propagationPolicy: 'Background' } as const
  await Promise.all(kinds.map(({ kind }) => env.client.delete(kind, placeOf(kind), options)))
  for (const { kind } of kinds) {
    await env.eventually(async () => {
      const copy = await find(env.client.member('member1'), kind, placeOf(kind))
      // A pod is deleted after its grace period.
      expect([kind.kind, copy && !copy.metadata.deletionTimestamp]).toEqual([
        kind.kind,
        copy === undefined ? undefined : false,
      ])
    })
  }
})

describe('a custom kind', () => {
  const definition = builtIn('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  const widget: AnyKind = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    origin: 'crd',
    subresources: { status: true },
    printerColumns: [],
    schema: anything() as AnyKind['schema'],
  }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const defined: Draft<UnknownObject> = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, subresources: { status: {} }, schema }],
    },
  } as Draft<UnknownObject>
  const define = (client: KubeClient) => client.create(definition, defined)
  const isServed = (client: KubeClient) =>
    env.eventually(async () => expect((await client.raw('GET', '/apis/example.com/v1')).status).toBe(200))
  const createWidget = () => env.eventually(() => propagate(widget, { spec: { size: 3 } }))
  const applied = async (cluster: string) => {
    const { items } = await env.client.list(workKind, { namespace: `karmada-es-${cluster}` })
    const work = items.find(({ spec }: Work) => spec.workload?.manifests?.[0]?.kind === 'Widget')
    return findCondition(work?.status?.conditions, 'Applied')
  }

  test('that is defined while the controllers run is propagated once its member serves it, and its status is collected', async () => {
    await define(env.client)
    await define(env.client.member('member1'))
    for (const client of [env.client, env.client.member('member1')]) await isServed(client)
    await createWidget()
    await schedule(widget, ['member1', 'member2'])
    await env.eventually(async () => expect(await applied('member1')).toMatchObject({ status: 'True' }))
    await env.eventually(async () =>
      expect(await applied('member2')).toMatchObject({
        status: 'False',
        message: 'Failed to apply all manifests (0/1): no matches for kind "Widget" in version "example.com/v1"',
      }),
    )
    await env.client
      .member('member1')
      .patch(
        widget,
        placeOf(widget),
        { type: 'merge', value: { status: { phase: 'Done' } } },
        { subresource: 'status' },
      )
    await env.eventually(async () =>
      expect((await bindingOf(widget)).status?.aggregatedStatus).toMatchObject([
        { clusterName: 'member1', applied: true, health: 'Healthy', status: { phase: 'Done' } },
        { clusterName: 'member2', appliedMessage: expect.stringContaining('no matches for kind "Widget"') },
      ]),
    )
    await define(env.client.member('member2'))
    await env.eventually(async () => expect(await applied('member2')).toMatchObject({ status: 'True' }))
  })

  test('whose definition is propagated like any other object', async () => {
    await env.client.create(clusterPropagationPolicy, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'ClusterPropagationPolicy',
      metadata: { name: 'definitions' },
      spec: { resourceSelectors: [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }] },
    })
    await define(env.client)
    await schedule(definition, ['member1'], 'widgets.example.com')
    await isServed(env.client.member('member1'))
    await createWidget()
    await schedule(widget, ['member1'])
    await env.eventually(async () =>
      expect(isConditionTrue((await bindingOf(widget)).status?.conditions, 'FullyApplied')).toBe(true),
    )
  })

  test('whose definition is deleted is removed from members, and may be defined again', async () => {
    for (const client of [env.client, env.client.member('member1')]) {
      await define(client)
      await isServed(client)
    }
    await createWidget()
    await schedule(widget, ['member1'])
    await env.eventually(async () => expect(await applied('member1')).toMatchObject({ status: 'True' }))
    await env.client.delete(definition, { name: 'widgets.example.com' })
    await env.eventually(async () => {
      expect(await find(env.client.member('member1'), widget, placeOf(widget))).toBeUndefined()
      expect(await applied('member1')).toBeUndefined()
    })
    await env.eventually(() => define(env.client))
    await isServed(env.client)
    await env.eventually(() => env.client.create(widget, objectOf(widget, { spec: { size: 4 } })))
    await schedule(widget, ['member1'])
    await env.eventually(async () =>
      expect((await env.client.member('member1').get(widget, placeOf(widget))).spec).toEqual({ size: 4 }),
    )
  })
})
