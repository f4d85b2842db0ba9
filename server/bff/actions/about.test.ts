import { english } from '@/lib/messages/english'
import { message } from '@/lib/messages/message'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FailoverSettings } from '@/lib/domain/failover'
import { allKinds, cluster, work } from '@/lib/kube/kinds'
import type { Kind } from '@/lib/kube/kind'
import { createMemoryStore, startApiServer } from '@/server/apiserver'
import type { AboutView } from '@/lib/view/model'
import type { KubeClient } from '@/server/kube/client'
import { unreachable } from '@/server/kube/answers'
import { createRestClient } from '@/server/kube/rest-client'
import { systemClock } from '@/server/runtime/system-clock'
import { EVERYTHING, scopeOf } from '../access/scope'
import { describeKinds, FollowedKinds } from '../cache/served-kinds'
import { asSeenIn, describeControlPlane } from './about'

const facts = { mode: 'connected' as const, server: 'https://example', reconcilers: () => [] }
const viewOf = (kinds: AboutView['kinds']): AboutView => ({
  ...facts,
  reconcilers: [],
  troubled: [],
  missing: [],
  failover: 'automatic',
  kinds,
})
const workKind = work as unknown as Kind
const clusterKind = cluster as unknown as Kind

/** A control plane of which some kinds are missing, and a client with that token. */
async function startWithout(missing: readonly string[], token = 'admin'): Promise<KubeClient> {
  let uid = 0
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds.filter(({ kind }) => !missing.includes(kind)),
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    uid: () => `uid-${++uid}`,
    random: Math.random,
    tokens: [{ token: 'admin', user: 'admin', groups: ['system:masters'] }],
  })
  const client = createRestClient({ url: server.url, token })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return client
}

async function follow(client: KubeClient): Promise<FollowedKinds> {
  const served = await FollowedKinds.open({ client, clock: systemClock, kinds: [clusterKind, workKind] })
  onTestFinished(() => served.stop())
  return served
}

describe('a control plane that serves only a part', () => {
  test('is listed with its missing kinds and their effects', async () => {
    const about = await describeControlPlane(await startWithout(['Work', 'WorkloadRebalancer']), facts)
    expect(about.kinds).toContainEqual({
      kind: 'Work',
      resource: 'works.work.karmada.io',
      served: false,
      readable: false,
      note: message('controlPlane.groupNotServed', { apiVersion: 'work.karmada.io/v1alpha1' }),
    })
    expect(about.missing.map(english.of)).toEqual([
      'Work: work.karmada.io/v1alpha1 does not serve it. The applied state comes from the bindings; leftover old replicas are not shown.',
      'WorkloadRebalancer: apps.karmada.io/v1alpha1 does not serve it. Rebalancing is unavailable; it needs Karmada 1.11 or later.',
    ])
  })

  test('says of missing plans what is left: rebalances at once, or none where rebalancers are missing too', async () => {
    const lossesOf = async (...missing: string[]) =>
      (await describeControlPlane(await startWithout(missing), facts)).missing
        .map(english.of)
        .filter((text) => text.startsWith('RebalancePlan'))
    expect(await lossesOf('RebalancePlan')).toEqual([
      expect.stringContaining('Rebalances move all workloads at once, as WorkloadRebalancers.'),
    ])
    expect(await lossesOf('RebalancePlan', 'WorkloadRebalancer')).toEqual([
      expect.stringContaining('Rebalancing is unavailable; it needs Karmada 1.11 or later.'),
    ])
  })

  test('is listed for a tenant by permitted resources: one namespace is enough, and visible kinds are not called missing', async () => {
    const refused = (resource: string, kind: string) => ({
      kind,
      resource,
      served: true,
      readable: false,
      note: 'forbidden',
    })
    const view = viewOf([
      refused('resourcebindings.work.karmada.io', 'ResourceBinding'),
      refused('rebalanceplans.evenkeel.io', 'RebalancePlan'),
      {
        kind: 'Work',
        resource: 'works.work.karmada.io',
        served: false,
        readable: false,
        note: 'work.karmada.io/v1alpha1 does not serve it',
      },
    ])
    const seen = asSeenIn(view, scopeOf(new Map([['resourcebindings.work.karmada.io', new Set(['shop'])]])))
    expect(seen.kinds.map(({ readable, note }) => [readable, note])).toEqual([
      [true, message('controlPlane.someNamespaces')],
      [false, 'forbidden'],
      [false, 'work.karmada.io/v1alpha1 does not serve it'],
    ])
    expect(seen.missing.map(english.of)).toEqual([
      'RebalancePlan: you do not have permission to list rebalanceplans.evenkeel.io.',
      'Work: work.karmada.io/v1alpha1 does not serve it. The applied state comes from the bindings; leftover old replicas are not shown.',
    ])
    expect(seen.namespaces).toEqual(['shop'])
    const all = asSeenIn(view, EVERYTHING)
    expect(all.kinds).toEqual(view.kinds)
    expect(all.missing).toHaveLength(3)
    expect(english.of(all.missing[0]!)).toContain('Namespaced workloads are not shown.')
  })

  test('is asked before the caches are made', async () => {
    const served = await follow(await startWithout(['Work']))
    expect([served.readable(clusterKind), served.readable(workKind)]).toEqual([true, false])
  })

  test('that refuses the token is described as unreadable', async () => {
    const client = await startWithout([], 'wrong')
    const about = await describeControlPlane(client, facts)
    expect(about.kinds.every(({ readable }) => !readable)).toBe(true)
    expect((await follow(client)).readable(clusterKind)).toBe(false)
  })
})

test('nothing is concluded from a control plane that does not answer', async () => {
  const client = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  await expect(follow(client)).rejects.toMatchObject({ reason: 'Unreachable' })
  await client.close()
})

test.each<[FailoverSettings | undefined, AboutView['failover']]>([
  [{ noExecuteEviction: true, noExecuteAfterMs: 5_000 }, 'automatic'],
  [{ noExecuteEviction: true }, 'byTaint'],
  [{ noExecuteEviction: false, noExecuteAfterMs: 5_000 }, 'disabled'],
  [{ upstreamEviction: true }, 'unknown'],
  [undefined, 'unknown'],
])('tells when a failed cluster is evicted, with %j: %s', async (settings, expected) => {
  const client = createRestClient({ url: 'http://127.0.0.1:9', token: 'none' })
  expect((await describeControlPlane(client, facts, settings)).failover).toBe(expected)
  await client.close()
})

test('a server that does not answer, or whose certificate is not accepted, takes nothing away', async () => {
  for (const [code, note] of [
    ['ECONNREFUSED', 'controlPlane.noAnswer'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'controlPlane.certificateNotAccepted'],
  ] as const) {
    const fail = () => Promise.reject(unreachable(Object.assign(new Error(code), { code }), 'GET /apis'))
    const [kind] = await describeKinds({ list: fail, raw: fail }, [workKind])
    expect(kind).toMatchObject({ kind: 'Work', readable: false, unknown: true, note: message(note) })
    expect(asSeenIn(viewOf([kind!]), EVERYTHING).missing).toEqual([])
  }
})
