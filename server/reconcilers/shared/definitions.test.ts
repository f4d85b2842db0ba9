import { afterEach, expect, test } from 'vitest'
import { allKinds, rebalancePlan } from '@/lib/kube/kinds'
import { type CustomResourceDefinition, toCustomResourceDefinition } from '@/lib/kube/crd'
import { failbackPolicy } from '@/lib/kube/kinds/failback-policy'
import { queue } from '@/lib/kube/kinds/queue'
import type { Kind } from '@/lib/kube/kind'
import { seededRng } from '@/lib/std/rng'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import { createRestClient } from '@/server/kube/rest-client'
import { ensureDefinitions } from './definitions'

const ours = [rebalancePlan, failbackPolicy, queue] as unknown as readonly Kind[]
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A control plane that does not serve the kind by default. */
async function controlPlane(kinds = allKinds.filter(({ group }) => group !== rebalancePlan.group)) {
  let count = 0
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds,
    host: '127.0.0.1',
    port: 0,
    clock: createFakeClock(),
    random: seededRng(1).next,
    uid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    tokens: [
      { token: 'admin', user: 'admin', groups: ['system:masters'] },
      { token: 'guest', user: 'guest', groups: [] },
    ],
  })
  const client = (token: string) => createRestClient({ url: server.url, token, userAgent: 'test' })
  const [admin, guest] = [client('admin'), client('guest')]
  closing.push(
    () => admin.close(),
    () => guest.close(),
    () => server.close(),
  )
  return { admin, guest }
}

test('a control plane without the kinds gets them once', async () => {
  const { admin } = await controlPlane()
  expect(await ensureDefinitions(admin, ours)).toBe('installed')
  expect(await ensureDefinitions(admin, ours)).toBe('present')
})

test('one that serves them is not changed', async () => {
  const { admin } = await controlPlane([...allKinds])
  expect(await ensureDefinitions(admin, ours)).toBe('present')
})

test('missing permission to create definitions is reported', async () => {
  const { guest } = await controlPlane()
  expect(await ensureDefinitions(guest, ours)).toBe('forbidden')
})

test('fields that a definition of an earlier version lacks are added, once', async () => {
  const { admin, guest } = await controlPlane()
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const earlier = toCustomResourceDefinition(rebalancePlan as unknown as Kind)
  const fieldsOf = ({ spec }: CustomResourceDefinition) =>
    (spec.versions[0]?.schema.openAPIV3Schema.properties?.status?.properties?.workloads?.items?.properties
      ?? {}) as Record<string, unknown>
  const old = structuredClone(earlier)
  delete fieldsOf(old).renewed
  expect((await admin.raw('POST', path, old)).status).toBe(201)
  expect(await ensureDefinitions(admin, [ours[0]!])).toBe('updated')
  const { body } = await admin.raw('GET', `${path}/rebalanceplans.evenkeel.io`)
  expect(Object.keys(fieldsOf(body as CustomResourceDefinition))).toContain('renewed')
  expect(await ensureDefinitions(admin, [ours[0]!])).toBe('present')
  expect(await ensureDefinitions(guest, [ours[0]!])).toBe('present')
})
