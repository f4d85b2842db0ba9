/** What people get wrong about WorkloadSpreads, and what may break around them. */
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MATCHED_ANNOTATION, RULES_ANNOTATION } from '@/lib/domain/spread'
import {
  cloneSet as cloneSetKind,
  deployment as deploymentKind,
  mutatingWebhookConfiguration as hookKind,
  pod as podKind,
  workloadSpread as spreadKind,
  type WorkloadSpread,
} from '@/lib/kube/kinds'
import type { KubeClient } from '@/server/kube/client'
import { count, SpreadMember, subsetOf } from './testing/spread-member'

let seen: SpreadMember
let member: KubeClient
beforeEach(async () => {
  seen = await SpreadMember.start('web', [{ zone: 'a' }, { zone: 'b' }])
  member = seen.member.client
})
afterEach(() => seen.close())

const labels = { app: 'web' }
const target = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' }
const zone = (name: string) => ({
  requiredNodeSelector: { matchExpressions: [{ key: 'zone', operator: 'In', values: [name] }] },
})
const namespace = 'default'

type Spec = NonNullable<WorkloadSpread['spec']>

function createSpread(
  subsets: Spec['subsets'],
  rest: Partial<Spec> = {},
  annotations: Record<string, string> = {},
): Promise<WorkloadSpread> {
  return member.create(spreadKind, {
    apiVersion: 'apps.kruise.io/v1beta1',
    kind: 'WorkloadSpread',
    metadata: { name: 'web', namespace, annotations },
    spec: { targetRef: target, subsets, ...rest },
  })
}

const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'web' }] } }
const createSet = (replicas: number) =>
  member.create(cloneSetKind, {
    ...target,
    metadata: { name: 'web', namespace },
    spec: { replicas, selector: { matchLabels: labels }, template },
  })
const changeSpread = (spec: object) =>
  member.patch(spreadKind, { namespace, name: 'web' }, { type: 'merge', value: { spec } })

describe('a spread is refused', () => {
  test.each<[string, Spec['subsets'], Partial<Spec>, string]>([
    [
      'with shares of more than the whole',
      [{ name: 'a', maxReplicas: '150%' }, { name: 'b' }],
      {},
      "the sum of all subset's maxReplicas exceeds 100%",
    ],
    [
      'with a share without percent sign',
      [{ name: 'a', maxReplicas: '50' }, { name: 'b' }],
      {},
      'maxReplicas is not valid for subset',
    ],
    ['without any subset', [], {}, 'subsets number must >= 1'],
    [
      'for a kind that cannot be spread',
      [{ name: 'a' }],
      { targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'x' } },
      'is not permitted',
    ],
    [
      'with a last subset that is full, where pods are made anew',
      [{ name: 'a' }, { name: 'b', maxReplicas: 1 }],
      { scheduleStrategy: { type: 'Adaptive', adaptive: { rescheduleCriticalSeconds: 30 } } },
      'must be not specified when using adaptive',
    ],
  ])('%s', async (_why, subsets, rest, message) => {
    await expect(createSpread(subsets, rest)).rejects.toThrow(message)
  })

  test('when its patch does not fit the workload that is there', async () => {
    await createSet(0)
    const patch = { spec: { containers: [{ name: 'main', volumeMounts: [{ name: 'nowhere', mountPath: '/x' }] }] } }
    await expect(createSpread([{ name: 'a', patch }])).rejects.toThrow(
      'spec.subsets[0].patch.containers[0].volumeMounts[0].name: Not found: "nowhere"',
    )
  })

  test('when another one has the same workload, and when its workload changes', async () => {
    await createSpread([{ name: 'a' }])
    const second = {
      apiVersion: 'apps.kruise.io/v1beta1',
      kind: 'WorkloadSpread',
      metadata: { name: 'other', namespace },
      spec: { targetRef: target, subsets: [{ name: 'x' }] },
    }
    await expect(member.create(spreadKind, second)).rejects.toThrow('in conflict with other WorkloadSpread web')
    await expect(changeSpread({ targetRef: { ...target, name: 'else' } })).rejects.toThrow(
      'change TargetReference is not permitted',
    )
  })
})

test('a share without percent sign is let in where OpenKruise is to be followed, and leaves no rows', async () => {
  await createSpread([{ name: 'a', maxReplicas: '50' }, { name: 'b' }], {}, { [RULES_ANNOTATION]: 'oneShareParser' })
  await seen.member.env.eventually(async () => expect(await seen.status()).toEqual({ observedGeneration: 1 }))
})

test('without any limit the first subset takes everything', async () => {
  await createSpread([
    { name: 'a', ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  await createSet(5)
  await seen.shows({ pods: { a: 5 }, missing: { a: -1, b: -1 } })
})

test('a patch that does not fit a pod keeps it out, and the workload tries again until it is mended', async () => {
  const broken = { spec: { containers: 'none' } } as never
  await createSpread([{ name: 'a', patch: broken }])
  await createSet(1)
  const owner = { apiVersion: target.apiVersion, kind: target.kind, name: 'web', uid: 'u', controller: true }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'own', namespace, ownerReferences: [owner] },
    spec: template.spec,
  }
  await seen.member.env.eventually(() =>
    expect(member.create(podKind, pod, { dryRun: false })).rejects.toThrow('does not fit'),
  )
  expect(await seen.allPods()).toEqual([])
  await changeSpread({ subsets: [{ name: 'a' }] })
  await seen.shows({ pods: { a: 1 } })
})

test('renamed subsets: pods of a removed one count nowhere, and are deleted first', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 2, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  await createSet(4)
  await seen.shows({ pods: { a: 2, b: 2 } })
  await changeSpread({
    subsets: [
      { name: 'first', maxReplicas: 2, ...zone('a') },
      { name: 'b', ...zone('b') },
    ],
  })
  await seen.shows({ pods: { a: 2, b: 2 }, costs: { a: { '-300': 2 }, b: { 100: 2 } }, missing: { first: 2, b: -1 } })
  await seen.scale(2)
  await seen.shows({ pods: { b: 2 } })
  await seen.scale(4)
  await seen.shows({ pods: { first: 2, b: 2 }, missing: { first: 0, b: -1 } })
})

test('a limit that shrinks makes the surplus go first, and one that grows takes that back', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 8, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  await createSet(10)
  await seen.shows({ pods: { a: 8, b: 2 }, costs: { a: { 200: 8 }, b: { 100: 2 } } })
  await changeSpread({
    subsets: [
      { name: 'a', maxReplicas: 5, ...zone('a') },
      { name: 'b', ...zone('b') },
    ],
  })
  await seen.shows({
    pods: { a: 8, b: 2 },
    costs: { a: { 200: 5, '-100': 3 }, b: { 100: 2 } },
    missing: { a: 0, b: -1 },
  })
  await changeSpread({
    subsets: [
      { name: 'a', maxReplicas: 8, ...zone('a') },
      { name: 'b', ...zone('b') },
    ],
  })
  await seen.shows({ costs: { a: { 200: 8 }, b: { 100: 2 } } })
})

test('a deleted spread leaves its pods as they are, and new ones alone', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 1, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  await createSet(3)
  await seen.shows({ pods: { a: 1, b: 2 } })
  await member.delete(spreadKind, { namespace, name: 'web' })
  await seen.member.env.eventually(async () => expect((await member.list(hookKind)).items).toEqual([]))
  await seen.scale(5)
  await seen.member.env.eventually(async () =>
    expect(count(await seen.pods(), subsetOf)).toEqual({ a: 1, b: 2, '(none)': 2 }),
  )
})

async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  return port
}

test('with the webhook down pods come in without a subset, and are adopted where they run', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 2, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  const [hook] = (await member.list(hookKind)).items
  const clientConfig = { url: `http://127.0.0.1:${await closedPort()}/` }
  await member.update(hookKind, { ...hook!, webhooks: hook!.webhooks!.map((one) => ({ ...one, clientConfig })) })
  await createSet(4)
  await seen.member.env.eventually(async () => {
    const pods = await seen.pods()
    expect(pods).toHaveLength(4)
    for (const { spec, metadata } of pods) {
      const expected = spec.nodeName === 'm1-node-1' ? 'a' : 'b'
      expect(metadata.annotations?.[MATCHED_ANNOTATION]).toBe(JSON.stringify({ name: 'web', subset: expected }))
      expect(spec.affinity).toBeUndefined()
    }
  })
})

test('a dry run enters nothing into the books', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 2, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  const set = await createSet(0)
  await seen.member.env.eventually(async () => expect((await seen.status()).subsetStatuses).toHaveLength(2))
  const owner = {
    apiVersion: target.apiVersion,
    kind: target.kind,
    name: 'web',
    uid: set.metadata.uid,
    controller: true,
  }
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'own', namespace, labels, ownerReferences: [owner] },
    spec: template.spec,
  }
  const tried = await member.create(podKind, pod, { dryRun: true })
  expect(tried.metadata.annotations?.[MATCHED_ANNOTATION]).toBeUndefined()
  expect((await seen.status()).versionedSubsetStatuses).toBeUndefined()
})

test('an evicted pod gives its place free', async () => {
  await createSpread([
    { name: 'a', maxReplicas: 2, ...zone('a') },
    { name: 'b', ...zone('b') },
  ])
  await createSet(3)
  await seen.shows({ pods: { a: 2, b: 1 } })
  const victim = (await seen.pods()).find((pod) => subsetOf(pod) === 'a')!
  const { name, uid } = victim.metadata
  const { status } = await member.raw('POST', `/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
  })
  expect(status).toBe(201)
  await seen.member.env.eventually(async () =>
    expect((await seen.pods()).some(({ metadata }) => metadata.uid === uid)).toBe(false),
  )
  await seen.shows({ pods: { a: 2, b: 1 }, missing: { a: 0, b: -1 } })
})

test('a Deployment counts each revision on its own', async () => {
  await createSpread(
    [
      { name: 'a', maxReplicas: 2, ...zone('a') },
      { name: 'b', ...zone('b') },
    ],
    { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  )
  await member.create(deploymentKind, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: { replicas: 4, selector: { matchLabels: labels }, template },
  })
  await seen.shows({ pods: { a: 2, b: 2 }, costs: { a: { 200: 2 }, b: { 100: 2 } } })
  const [before] = Object.keys((await seen.status()).versionedSubsetStatuses ?? {})
  const newer = { ...template, spec: { containers: [{ name: 'main', image: 'web:2' }] } }
  await member.patch(
    deploymentKind,
    { namespace, name: 'web' },
    { type: 'merge', value: { spec: { template: newer } } },
  )
  await seen.member.env.eventually(async () => {
    const versions = Object.keys((await seen.status()).versionedSubsetStatuses ?? {})
    expect(versions).toHaveLength(1)
    expect(versions).not.toContain(before)
  })
  await seen.shows({ pods: { a: 2, b: 2 }, costs: { a: { 200: 2 }, b: { 100: 2 } } })
})
