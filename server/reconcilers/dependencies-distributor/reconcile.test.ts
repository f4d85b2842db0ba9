import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { configMap, deployment, endpointSlice, propagationPolicy, resourceBinding, secret } from '@/lib/kube/kinds'
import type { Deployment, PropagationSpec, ResourceBinding } from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import { isNotFound } from '@/lib/kube/errors'
import type { Draft } from '@/lib/kube/object'
import { aDeployment, aPolicy } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from '../binding'
import { detectorController } from '../detector'
import { executionController } from '../execution'
import { namespaceSyncController } from '../namespace-sync'
import { dependenciesDistributorController } from '.'

const MEMBERS = ['member1', 'member2', 'member3']
const inShop = (name: string) => ({ namespace: 'shop', name })
const settings = inShop('settings-configmap')
const token = inShop('token-secret')

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of MEMBERS) {
    await env.createCluster(name, { annotations: { 'sim.evenkeel.io/nodes': '1' } })
    await env.createNamespace(`karmada-es-${name}`)
  }
  await env.createNamespace('shop')
  const context = env.context()
  await env.run(
    detectorController(context),
    bindingController(context),
    executionController(context),
    namespaceSyncController(context),
    dependenciesDistributorController(context),
  )
})

afterEach(() => env.close())

const createSettings = (name = 'settings') =>
  env.client.create(configMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inShop(name),
    data: { colour: 'blue' },
  })
const createToken = () =>
  env.client.create(secret, { apiVersion: 'v1', kind: 'Secret', metadata: inShop('token'), stringData: { key: 'x' } })

/** A Deployment whose variables come from ConfigMap `settings` and, by default, Secret `token`. */
function needing(name: string, withSecret = true): Draft<Deployment> {
  const draft = aDeployment(name, { namespace: 'shop', replicas: 3 })
  const [container] = draft.spec.template.spec?.containers ?? []
  if (container) {
    container.envFrom = [{ configMapRef: { name: 'settings' } }]
    if (withSecret) container.env = [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'token', key: 'key' } } }]
  }
  return draft
}

async function propagate(
  name: string,
  { spec = {}, withSecret = true }: { spec?: Partial<PropagationSpec>; withSecret?: boolean } = {},
): Promise<void> {
  await env.client.create(deployment, needing(name, withSecret))
  const policy = aPolicy(name, { namespace: 'shop', deployments: [name] })
  await env.client.create(propagationPolicy, { ...policy, spec: { ...policy.spec, propagateDeps: true, ...spec } })
}

/** Acts as the scheduler. */
async function schedule(name: string, ...clusters: string[]): Promise<void> {
  const ref = inShop(`${name}-deployment`)
  await env.eventually(() => env.client.get(resourceBinding, ref))
  const value = { spec: { clusters: clusters.map((cluster) => ({ name: cluster, replicas: 1 })) } }
  await env.client.patch(resourceBinding, ref, { type: 'merge', value })
}

const changePolicy = (name: string, spec: Partial<PropagationSpec>) =>
  env.client.patch(propagationPolicy, inShop(name), { type: 'merge', value: { spec } })

/** Clusters by object, according to Works; namespaces are propagated everywhere. */
async function dispatched(): Promise<Record<string, string[]>> {
  const { items } = await env.client.list(workKind)
  const clusters: Record<string, string[]> = {}
  for (const { metadata, spec } of items) {
    const manifest = spec.workload?.manifests?.[0] as { kind: string; metadata: { name: string } } | undefined
    if (manifest?.kind === 'Namespace') continue
    const key = `${manifest?.kind}/${manifest?.metadata.name}`
    clusters[key] = [...(clusters[key] ?? []), metadata.namespace?.replace('karmada-es-', '') ?? ''].toSorted()
  }
  return clusters
}

const becomesDispatched = (expected: Record<string, string[]>) =>
  env.eventually(async () => expect(await dispatched()).toEqual(expected))
const get = (ref: { namespace: string; name: string }) => env.client.get(resourceBinding, ref)
const requirersIn = ({ spec }: ResourceBinding) =>
  (spec.requiredBy ?? []).map(({ name, clusters }) => [name, clusters?.map((cluster) => cluster.name)])
const dependedBy = ({ metadata }: ResourceBinding) =>
  Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith('resourcebinding.karmada.io/depended-by-'))
const isGone = async (look: Promise<unknown>) =>
  look.then(
    () => false,
    (error: unknown) => isNotFound(error),
  )
const messages = async () =>
  (await env.recordedEvents())
    .filter(({ source }) => source?.component === 'dependencies-distributor')
    .map(({ involvedObject, type, reason, message }) => `${involvedObject?.name}: ${type} ${reason} ${message}`)

test('dependencies follow a template, are detached with it, and events report it', async () => {
  await createSettings()
  await createToken()
  await propagate('web')
  await schedule('web', 'member1', 'member2')
  await becomesDispatched({
    'Deployment/web': ['member1', 'member2'],
    'ConfigMap/settings': ['member1', 'member2'],
    'Secret/token': ['member1', 'member2'],
  })
  const attached = await get(settings)
  expect(attached.spec).toMatchObject({
    resource: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
    conflictResolution: 'Abort',
    preserveResourcesOnDeletion: false,
  })
  expect(attached.spec.placement).toBeUndefined()
  const independent = await get(inShop('web-deployment'))
  expect(independent.metadata.finalizers).toContain('karmada.io/binding-dependencies-distributor')
  expect(JSON.parse(independent.metadata.annotations?.['resourcebinding.karmada.io/dependencies'] ?? '')).toEqual([
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
    { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'token' },
  ])
  expect(await messages()).toEqual(
    expect.arrayContaining([
      'web: Normal GetDependenciesSucceed Get dependencies([{APIVersion:v1 Kind:ConfigMap Namespace:shop Name:settings LabelSelector:nil} '
        + '{APIVersion:v1 Kind:Secret Namespace:shop Name:token LabelSelector:nil}]) succeed.',
      'web-deployment: Normal SyncScheduleResultToDependenciesSucceed Sync schedule results to dependencies succeed.',
    ]),
  )

  await schedule('web', 'member2', 'member3')
  await becomesDispatched({
    'Deployment/web': ['member2', 'member3'],
    'ConfigMap/settings': ['member2', 'member3'],
    'Secret/token': ['member2', 'member3'],
  })

  const { spec } = needing('web', false)
  await env.client.patch(deployment, inShop('web'), { type: 'merge', value: { spec: { template: spec.template } } })
  await becomesDispatched({ 'Deployment/web': ['member2', 'member3'], 'ConfigMap/settings': ['member2', 'member3'] })
  const dropped = await get(token)
  expect([requirersIn(dropped), dependedBy(dropped)]).toEqual([[], []])

  await env.client.delete(deployment, inShop('web'))
  await becomesDispatched({})
  await env.eventually(async () => expect(await isGone(get(inShop('web-deployment')))).toBe(true))
  const left = await get(settings)
  expect([requirersIn(left), dependedBy(left), left.spec.preserveResourcesOnDeletion]).toEqual([[], [], undefined])
})

test('an imported Service propagates its derived Service, and the slices with its label', async () => {
  const group = 'multicluster.x-k8s.io'
  const names = {
    kind: 'ServiceImport',
    plural: 'serviceimports',
    singular: 'serviceimport',
    listKind: 'ServiceImportList',
  }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const create = async (path: string, object: object) =>
    env.eventually(async () => expect((await env.client.raw('POST', path, object)).status).toBe(201))
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `serviceimports.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1alpha1', served: true, storage: true, schema }] },
  })
  await create(`/apis/${group}/v1alpha1/namespaces/shop/serviceimports`, {
    apiVersion: `${group}/v1alpha1`,
    kind: 'ServiceImport',
    metadata: inShop('web'),
    spec: { type: 'ClusterSetIP', ports: [] },
  })
  await env.client.create(propagationPolicy, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: inShop('imports'),
    spec: { resourceSelectors: [{ apiVersion: `${group}/v1alpha1`, kind: 'ServiceImport' }] },
  })
  const ref = inShop('web-serviceimport')
  await env.eventually(async () => expect((await get(ref)).spec.propagateDeps).toBe(true))
  await env.client.patch(resourceBinding, ref, { type: 'merge', value: { spec: { clusters: [{ name: 'member1' }] } } })
  await create('/api/v1/namespaces/shop/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inShop('derived-web'),
    spec: { ports: [{ port: 80 }] },
  })
  const slices = '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices'
  const slice = (name: string, of: string) =>
    create(slices, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv4',
      endpoints: [],
      ports: [],
      metadata: { ...inShop(name), labels: { 'kubernetes.io/service-name': of } },
    })
  await slice('web-1', 'derived-web')
  await slice('other-1', 'derived-other')
  const others = { 'ServiceImport/web': ['member1'], 'Service/derived-web': ['member1'] }
  await becomesDispatched({ ...others, 'EndpointSlice/web-1': ['member1'] })
  expect(await messages()).toContain(
    'web: Normal GetDependenciesSucceed Get dependencies(['
      + '{APIVersion:v1 Kind:Service Namespace:shop Name:derived-web LabelSelector:nil} '
      + '{APIVersion:discovery.k8s.io/v1 Kind:EndpointSlice Namespace:shop Name: LabelSelector:&LabelSelector'
      + '{MatchLabels:map[string]string{kubernetes.io/service-name: derived-web,},MatchExpressions:[]LabelSelectorRequirement{},}}]) succeed.',
  )
  await env.client.patch(endpointSlice, inShop('web-1'), {
    type: 'merge',
    value: { metadata: { labels: { 'kubernetes.io/service-name': 'derived-other' } } },
  })
  await becomesDispatched(others)
})

describe('a dependency', () => {
  test('that is created later follows at once, and again when it is created anew', async () => {
    await propagate('web', { withSecret: false })
    await schedule('web', 'member1')
    await becomesDispatched({ 'Deployment/web': ['member1'] })
    await createSettings()
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
    await env.client.delete(configMap, inShop('settings'))
    await becomesDispatched({ 'Deployment/web': ['member1'] })
    await createSettings()
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
  })

  test('that changes is propagated again', async () => {
    await createSettings()
    await propagate('web', { withSecret: false })
    await schedule('web', 'member1')
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
    await env.client.patch(configMap, inShop('settings'), { type: 'merge', value: { data: { colour: 'red' } } })
    await env.eventually(async () => {
      const { items } = await env.client.list(workKind, { namespace: 'karmada-es-member1' })
      expect(JSON.stringify(items)).toContain('"colour":"red"')
    })
  })

  test('of several templates is in the clusters of all of them, and conflicts of policies are reported', async () => {
    await createSettings()
    await propagate('web', { withSecret: false })
    await propagate('api', {
      withSecret: false,
      spec: { conflictResolution: 'Overwrite', preserveResourcesOnDeletion: true },
    })
    await schedule('web', 'member1')
    await schedule('api', 'member2')
    await becomesDispatched({
      'Deployment/web': ['member1'],
      'Deployment/api': ['member2'],
      'ConfigMap/settings': ['member1', 'member2'],
    })
    const both = await get(settings)
    expect(both.spec).toMatchObject({ conflictResolution: 'Overwrite', preserveResourcesOnDeletion: true })
    expect(dependedBy(both)).toHaveLength(2)
    await env.eventually(async () =>
      expect(await messages()).toContain(
        'settings-configmap: Warning DependencyPolicyConflict Dependency policy conflict detected: ConflictResolution conflicted (Overwrite vs Abort); '
          + 'PreserveResourcesOnDeletion conflicted (true vs false).',
      ),
    )
    await changePolicy('api', { propagateDeps: false })
    await env.eventually(async () => {
      const one = await get(settings)
      expect(requirersIn(one)).toEqual([['web-deployment', ['member1']]])
      expect(one.spec).toMatchObject({ conflictResolution: 'Abort', preserveResourcesOnDeletion: false })
      expect((await get(inShop('api-deployment'))).metadata.finalizers).not.toContain(
        'karmada.io/binding-dependencies-distributor',
      )
    })
    const timesWarned = async () =>
      (await env.recordedEvents()).find(({ reason }) => reason === 'DependencyPolicyConflict')?.count ?? 0
    const before = await timesWarned()
    await changePolicy('api', { propagateDeps: true })
    await env.eventually(async () => expect(await timesWarned()).toBeGreaterThan(before))
  })

  test('that gets its own policy follows that policy too', async () => {
    await createSettings()
    await propagate('web', { withSecret: false })
    await schedule('web', 'member1')
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
    const own = aPolicy('own', { namespace: 'shop' })
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' }]
    await env.client.create(propagationPolicy, {
      ...own,
      spec: { ...own.spec, resourceSelectors, conflictResolution: 'Overwrite' },
    })
    await env.eventually(async () => expect((await get(settings)).spec.placement).toBeDefined())
    await env.client.patch(resourceBinding, settings, {
      type: 'merge',
      value: { spec: { clusters: [{ name: 'member3' }] } },
    })
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1', 'member3'] })
    await schedule('web', 'member2')
    await becomesDispatched({ 'Deployment/web': ['member2'], 'ConfigMap/settings': ['member2', 'member3'] })
    expect((await get(settings)).spec.conflictResolution).toBe('Overwrite')
    await changePolicy('web', { propagateDeps: false })
    await becomesDispatched({ 'Deployment/web': ['member2'], 'ConfigMap/settings': ['member3'] })
  })
})

test('when all dependencies are attached, another reconcile writes nothing', async () => {
  await createSettings()
  await propagate('web', { withSecret: false })
  await schedule('web', 'member1')
  await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
  const versions = async () => {
    const bindings = await Promise.all([settings, inShop('web-deployment')].map(get))
    return bindings.map(({ metadata, spec }) => [metadata.generation, metadata.annotations, spec])
  }
  const before = await versions()
  const told = await env.eventually(async () => {
    const all = await messages()
    expect(all.join()).toContain('SyncScheduleResultToDependenciesSucceed')
    return all
  })
  const controller = dependenciesDistributorController(env.context())
  await controller.reconcile('shop/web-deployment')
  await controller.reconcile('shop/settings-configmap')
  expect(await versions()).toEqual(before)
  expect(await messages()).toEqual(told)
})

describe('an attached binding', () => {
  test('is recreated after a user deletes it', async () => {
    await createSettings()
    await propagate('web', { withSecret: false })
    await schedule('web', 'member1')
    const {
      metadata: { uid },
    } = await env.eventually(() => get(settings))
    await env.client.delete(resourceBinding, settings)
    await env.eventually(async () => expect((await get(settings)).metadata.uid).not.toBe(uid))
    await becomesDispatched({ 'Deployment/web': ['member1'], 'ConfigMap/settings': ['member1'] })
  })

  test('is detached from a binding that was deleted without a finalizer', async () => {
    await createSettings()
    const resource = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' }
    const requiredBy = [{ namespace: 'shop', name: 'gone-deployment', clusters: [{ name: 'member1' }] }]
    await env.client.create(resourceBinding, {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: settings,
      spec: { resource, requiredBy },
    })
    await env.eventually(async () => expect(requirersIn(await get(settings))).toEqual([]))
  })
})

test('without propagateDeps nothing is attached and nothing is written', async () => {
  await createSettings()
  await propagate('web', { spec: { propagateDeps: false } })
  await schedule('web', 'member1')
  await becomesDispatched({ 'Deployment/web': ['member1'] })
  expect(await isGone(get(settings))).toBe(true)
  expect((await get(inShop('web-deployment'))).metadata.finalizers).toEqual(['karmada.io/binding-controller'])
})
