import { afterEach, beforeEach, expect, test } from 'vitest'
import { anonymise, keptShare } from '@/lib/domain/twin'
import { cluster as clusterKind, pod as podKind, type ResourceBinding } from '@/lib/kube/kinds'
import { SIM_UNHEALTHY } from '@/lib/kube/simulation'
import type { UnknownObject } from '@/lib/kube/object'
import { createHttpTransport } from '@/server/kube/http-transport'
import { generatedFederation } from '@/server/testing/generated-federation'
import { type Env, startEnv } from '@/server/testing/start-env'
import { seedControlPlane } from './seed'
import { randomHash } from './take-export'

const NOW = Date.parse('2026-01-01T00:00:00Z')

let env: Env
beforeEach(async () => {
  env = await startEnv()
})
afterEach(() => env.close())

const generated = () => generatedFederation({ clusters: 4, workloads: 20, seed: 3, now: NOW })
const seed = (twinExport = generated()) => {
  const transport = createHttpTransport({ url: env.url, token: env.token })
  return seedControlPlane({ transport, restore: env.restore }, twinExport, { now: NOW, uid: () => crypto.randomUUID() })
}

test('a twin has the clusters, summaries, placements and pods of its export', async () => {
  const { proof, omissions, counts } = await seed()
  expect(omissions).toEqual([])
  expect(proof).toMatchObject({ workloads: 20, kept: 20, moved: [] })
  expect(counts).toMatchObject({ clusters: 4, bindings: 20, nodes: 80, pods: 60 })
  const before = generated().objects.filter(({ kind }) => kind === 'Cluster')
  for (const original of before) {
    const { status } = await env.client.get(clusterKind, { name: original.metadata.name })
    const { allocatable } = (original as unknown as { status: { resourceSummary: { allocatable: object } } }).status
      .resourceSummary
    expect(status?.resourceSummary?.allocatable).toMatchObject({ cpu: (allocatable as { cpu: string }).cpu })
    expect(status?.nodeSummary).toEqual({ totalNum: 20, readyNum: 20 })
  }
  const pods = await Promise.all(
    before.map(async ({ metadata: { name } }) => (await env.client.member(name).list(podKind)).items),
  )
  const workloads = pods.flat().filter(({ metadata }) => metadata.namespace?.startsWith('team-'))
  expect(workloads).toHaveLength(60)
  expect(workloads.every(({ status }) => status?.phase === 'Running')).toBe(true)
})

test('workloads that were starting become healthy in the twin, and those that failed for longer do not', async () => {
  const original = generated()
  let count = 0
  const objects = original.objects.map((object) => {
    if (object.kind !== 'ResourceBinding' || count >= 2) return object
    count += 1
    const { status, spec } = object as unknown as ResourceBinding
    const aggregatedStatus = spec.clusters!.map(({ name }) => ({ clusterName: name, health: 'Unhealthy' }))
    const lastScheduledTime = count === 1 ? '2025-12-31T23:59:00Z' : '2025-12-31T23:00:00Z'
    return { ...object, status: { ...status, aggregatedStatus, lastScheduledTime } } as UnknownObject
  })
  await seed({ ...original, objects })
  const clusters = (await env.client.list(clusterKind)).items
  const failing = clusters.flatMap(({ metadata }) => metadata.annotations?.[SIM_UNHEALTHY]?.split(',') ?? [])
  expect(new Set(failing)).toEqual(new Set(['team-1/w00001']))
})

test('names of an anonymised export are gone, and every selection still works', async () => {
  const original = generated()
  const taken = anonymise(original, randomHash())
  const text = JSON.stringify(taken)
  const names = original.objects.map(({ metadata }) => metadata.name)
  expect(names.filter((name) => name !== 'default' && text.includes(`"${name}"`))).toEqual([])
  const { proof, counts } = await seed(taken)
  expect(keptShare(proof)).toBe(1)
  expect(counts).toMatchObject({ bindings: 20, pods: 60 })
})

test('unknown kinds are left out and reported', async () => {
  const original = generated()
  const [first, ...others] = original.objects.filter(({ kind }) => kind === 'ResourceBinding')
  const changed = { ...first!, spec: { ...(first!.spec as object), newerField: { some: 'value' } } } as UnknownObject
  const broken = { ...others[0]!, spec: { ...(others[0]!.spec as object), replicas: 'three' } } as UnknownObject
  const foreign = { ...first!, apiVersion: 'work.karmada.io/v9', kind: 'NewerBinding' } as UnknownObject
  const rest = original.objects.filter((object) => object !== first && object !== others[0])
  const { omissions, counts } = await seed({ ...original, objects: [...rest, changed, broken, foreign] })
  expect(counts.bindings).toBe(19)
  expect(omissions.map(({ reason, kind }) => `${reason} ${kind}`)).toEqual([
    'NotServedHere NewerBinding',
    'FieldsDropped ResourceBinding',
    'Invalid ResourceBinding',
  ])
})
