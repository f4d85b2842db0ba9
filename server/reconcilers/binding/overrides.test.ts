import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  clusterOverridePolicy,
  deployment,
  overridePolicy,
  type OverridePolicy,
  type OverrideSpec,
  resourceBinding,
} from '@/lib/kube/kinds'
import { work as workKind } from '@/lib/kube/kinds/work'
import type { UnknownObject } from '@/lib/kube/object'
import { aBinding, aDeployment } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { bindingController } from '.'

const MEMBERS = ['member1', 'member2']
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment' }

let env: Env

beforeEach(async () => {
  env = await startEnv()
  for (const name of ['shop', 'office', ...MEMBERS.map((member) => `karmada-es-${member}`)])
    await env.createNamespace(name)
  for (const name of MEMBERS) await env.createCluster(name, { region: name === 'member1' ? 'eu' : 'us' })
  await env.run(bindingController(env.context()))
})

afterEach(() => env.close())

async function place(name: string, namespace = 'shop'): Promise<void> {
  await env.client.create(deployment, aDeployment(name, { namespace, replicas: 1, labels: { app: name } }))
  const clusters = MEMBERS.map((member) => ({ name: member, replicas: 1 }))
  await env.client.create(resourceBinding, aBinding(name, { namespace, replicas: 1, spec: { clusters } }))
}

const draft = (name: string, spec: OverrideSpec) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { name, namespace: 'shop' },
  spec,
})
const override = (name: string, spec: OverrideSpec): Promise<OverridePolicy> =>
  env.client.create(overridePolicy, draft(name, spec))
const replaceSpec = (name: string, spec: OverrideSpec) =>
  env.client.patch(
    overridePolicy,
    { namespace: 'shop', name },
    { type: 'json', operations: [{ op: 'replace', path: '/spec', value: spec }] },
  )

const IMAGE = '/spec/template/spec/containers/0/image'
const registry = (value: string) => ({
  imageOverrider: [{ component: 'Registry' as const, operator: 'add' as const, value }],
})
const label = (key: string, value: string) => ({
  labelsOverrider: [{ operator: 'add' as const, value: { [key]: value } }],
})
const broken = { plaintext: [{ operator: 'replace' as const, path: '/spec/nowhere', value: 1 }] }
const inEurope = { fieldSelector: { matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }] } }

/** Manifests of a Deployment in the clusters, sorted by cluster. */
async function copies(
  name: string,
): Promise<{ image: string; labels: Record<string, string>; record: string | undefined }[]> {
  const { items } = await env.client.list(workKind)
  const works = items.toSorted((left, right) => (left.metadata.namespace! < right.metadata.namespace! ? -1 : 1))
  return works.flatMap(({ metadata, spec }) => {
    const manifest = spec.workload?.manifests?.[0] as unknown as UnknownObject
    if (manifest.metadata.name !== name) return []
    const { template } = manifest.spec as { template: { spec: { containers: { image: string }[] } } }
    const record = metadata.annotations?.['policy.karmada.io/applied-overrides']
    return [{ image: template.spec.containers[0]!.image, labels: manifest.metadata.labels ?? {}, record }]
  })
}

const images = async (name: string) => (await copies(name)).map(({ image }) => image)
const labelsOf = async (name: string, key: string) => (await copies(name)).map(({ labels }) => labels[key])
const told = async (reason: string) =>
  (await env.recordedEvents())
    .filter((event) => event.reason === reason)
    .map(({ involvedObject, message }) => `${involvedObject?.kind} ${message}`)

test('an image comes from another registry in one cluster only, and the Work records why', async () => {
  await place('web')
  const [plain] = await env.eventually(async () => {
    const found = await images('web')
    expect(found).toHaveLength(2)
    return found
  })
  await override('eu', {
    resourceSelectors: [deployments],
    overrideRules: [{ targetCluster: inEurope, overriders: registry('reg.eu') }],
  })
  await env.eventually(async () => expect(await images('web')).toEqual([`reg.eu/${plain}`, plain]))
  expect((await copies('web')).map(({ record }) => record)).toEqual([
    '[{"policyName":"eu","overriders":{"imageOverrider":[{"component":"Registry","operator":"add","value":"reg.eu"}]}}]',
    undefined,
  ])
  await env.eventually(async () =>
    expect(await told('ApplyOverridePolicySucceed')).toEqual([
      'Deployment Apply override policy(shop/eu) for cluster(member1) succeed.',
    ]),
  )
})

test('deleting the policy restores the template, and removes the record', async () => {
  await place('web')
  const policy = await override('mark', {
    resourceSelectors: [deployments],
    overrideRules: [{ overriders: label('tier', 'gold') }],
  })
  await env.eventually(async () => expect(await labelsOf('web', 'tier')).toEqual(['gold', 'gold']))
  await env.client.delete(overridePolicy, { namespace: 'shop', name: policy.metadata.name })
  await env.eventually(async () => expect(await labelsOf('web', 'tier')).toEqual([undefined, undefined]))
  expect((await copies('web')).map(({ record }) => record)).toEqual([undefined, undefined])
})

test('a policy with a changed selector releases what it selected before', async () => {
  await place('web')
  await place('shop')
  const select = (name: string) => ({
    resourceSelectors: [{ ...deployments, name }],
    overrideRules: [{ overriders: label('tier', 'gold') }],
  })
  await override('mark', select('web'))
  await env.eventually(async () => expect(await labelsOf('web', 'tier')).toEqual(['gold', 'gold']))
  await replaceSpec('mark', select('shop'))
  await env.eventually(async () => {
    expect(await labelsOf('web', 'tier')).toEqual([undefined, undefined])
    expect(await labelsOf('shop', 'tier')).toEqual(['gold', 'gold'])
  })
})

test('a policy without selectors applies to its whole namespace; namespaced policies follow cluster-scoped ones', async () => {
  await place('web')
  await place('desk', 'office')
  await env.client.create(clusterOverridePolicy, {
    ...draft('all', { overrideRules: [{ overriders: label('tier', 'silver') }] }),
    kind: 'ClusterOverridePolicy',
    metadata: { name: 'all' },
  })
  await env.eventually(async () => expect(await labelsOf('desk', 'tier')).toEqual(['silver', 'silver']))
  await override('shop', { targetCluster: { clusterNames: ['member2'] }, overriders: label('tier', 'gold') })
  await env.eventually(async () => expect(await labelsOf('web', 'tier')).toEqual(['silver', 'gold']))
  expect(await labelsOf('desk', 'tier')).toEqual(['silver', 'silver'])
})

test('a patch that cannot be applied fails its cluster only, with an event', async () => {
  await override('bad', { overrideRules: [{ targetCluster: { clusterNames: ['member1'] }, overriders: broken }] })
  await place('web')
  await env.eventually(async () => {
    expect(await told('ApplyOverridePolicyFailed')).toContain(
      'Deployment Apply override policy(shop/bad) for cluster(member1) failed.',
    )
    expect(await told('SyncWorkFailed')).toContain(
      'ResourceBinding override policy(shop/bad) cannot be applied for cluster(member1): '
        + 'cannot replace /spec/nowhere: path not found',
    )
    expect(await images('web')).toHaveLength(1)
  })
  const mended = { plaintext: [{ operator: 'replace' as const, path: IMAGE, value: 'mended:1' }] }
  await replaceSpec('bad', { overrideRules: [{ targetCluster: { clusterNames: ['member1'] }, overriders: mended }] })
  await env.eventually(async () => expect((await images('web'))[0]).toBe('mended:1'))
  expect(await images('web')).toHaveLength(2)
})
