/** The four scenarios for which WorkloadSpread was made, number by number. */
import { afterEach, describe, expect, test } from 'vitest'
import { RULES_ANNOTATION } from '@/lib/domain/spread'
import { workloadSpread as spreadKind } from '@/lib/kube/kinds'
import { type MemberKubectl, startMemberKubectl } from './testing/member-kubectl'
import { count, scenario, SpreadMember, subsetOf } from './testing/spread-member'

let seen: SpreadMember
let tool: MemberKubectl

async function begin(
  number: number,
  { spread, nodes, size }: { spread: string; nodes: Record<string, string>[]; size?: number },
): Promise<void> {
  seen = await SpreadMember.start(spread, nodes)
  tool = await startMemberKubectl(seen.member.env, 'm1')
  await tool.kubectl(['apply', '-f', scenario(number)])
  if (size !== undefined) await tool.kubectl(['scale', 'clonesets.v1alpha1.apps.kruise.io/web', `--replicas=${size}`])
}

afterEach(async () => {
  await tool.close()
  await seen.close()
})

const pool = (name: string): Record<string, string> => ({ 'app.deploy/zone': name })
const zone = (name: string): Record<string, string> => ({ 'topology.kubernetes.io/zone': name })
const arch = (name: string): Record<string, string> => ({ 'kubernetes.io/arch': name })

/** Pods by subset that were being removed when a step was taken. */
async function removedBy(replicas: number): Promise<Record<string, number>> {
  const before = await seen.pods()
  await seen.scale(replicas)
  return seen.member.env.eventually(async () => {
    const left = new Set((await seen.pods()).map(({ metadata }) => metadata.uid))
    expect(left.size).toBe(replicas)
    return count(
      before.filter(({ metadata }) => !left.has(metadata.uid)),
      subsetOf,
    )
  })
}

test('scenario 1: at most 100 in the base pool, the rest elastic', { timeout: 90_000 }, async () => {
  await begin(1, { spread: 'base-then-elastic', nodes: [pool('normal'), pool('elastic')] })
  const full = { 'subset-normal': 100 }
  await seen.shows({
    pods: { ...full, 'subset-elastic': 20 },
    costs: { 'subset-normal': { 200: 100 }, 'subset-elastic': { 100: 20 } },
    missing: { 'subset-normal': 0, 'subset-elastic': -1 },
  })
  expect(await removedBy(110)).toEqual({ 'subset-elastic': 10 })
  await seen.shows({ pods: { ...full, 'subset-elastic': 10 } })
  await seen.scale(120)
  await seen.shows({ pods: { ...full, 'subset-elastic': 20 } })
  expect(await removedBy(90)).toEqual({ 'subset-elastic': 20, 'subset-normal': 10 })
  await seen.shows({ pods: { 'subset-normal': 90 }, missing: { 'subset-normal': 10, 'subset-elastic': -1 } })
  for (const size of [99, 100]) {
    await seen.scale(size)
    await seen.shows({
      pods: { 'subset-normal': size },
      costs: { 'subset-normal': { 200: size } },
      missing: { 'subset-normal': 100 - size, 'subset-elastic': -1 },
    })
  }
  await seen.scale(101)
  await seen.shows({ pods: { ...full, 'subset-elastic': 1 }, missing: { 'subset-normal': 0, 'subset-elastic': -1 } })
  expect(await removedBy(100)).toEqual({ 'subset-elastic': 1 })
  for (const size of [5, 1]) {
    await seen.scale(size)
    await seen.shows({
      pods: { 'subset-normal': size },
      costs: { 'subset-normal': { 200: size } },
      missing: { 'subset-normal': 100 - size, 'subset-elastic': -1 },
    })
  }
  expect(await tool.kubectl(['get', 'ws'])).toMatch(
    /^NAME +WORKLOADNAME +WORKLOADKIND +ADAPTIVE +AGE\nbase-then-elastic +web +CloneSet/,
  )
})

describe('scenario 2: the base pool first, elastic when it has no room', { timeout: 90_000 }, () => {
  const nodes = [pool('normal'), pool('elastic')]
  const likeUpstream = () =>
    seen.member.client.patch(
      spreadKind,
      { namespace: 'default', name: 'adaptive-pools' },
      { type: 'merge', value: { metadata: { annotations: { [RULES_ANNOTATION]: 'simulation' } } } },
    )
  const unlimited = { 'subset-normal': -1, 'subset-elastic': -1 }
  const both = {
    pods: { 'subset-normal': 4, 'subset-elastic': 6 },
    costs: { 'subset-normal': { 200: 4 }, 'subset-elastic': { 100: 6 } },
    missing: unlimited,
  }
  const conditionOf = async (subset: string) =>
    (await seen.status()).subsetStatuses?.find(({ name }) => name === subset)?.conditions?.[0]

  test('while the base pool has capacity, all pods are placed there', async () => {
    await begin(2, { spread: 'adaptive-pools', nodes })
    await seen.shows({ pods: { 'subset-normal': 10 }, costs: { 'subset-normal': { 200: 10 } }, missing: unlimited })
    expect(await removedBy(7)).toEqual({ 'subset-normal': 3 })
  })

  test('with simulated scheduling, pods that find no room go elastic at once, and none stays pending', async () => {
    await begin(2, { spread: 'adaptive-pools', nodes, size: 0 })
    await seen.empties()
    await seen.limitNode(1, 4)
    await seen.scale(10)
    await seen.shows(both)
    expect((await seen.pods()).every(({ spec }) => spec.nodeName)).toBe(true)
    expect(await conditionOf('subset-normal')).toMatchObject({ status: 'True', reason: 'Sufficient' })
    expect(await removedBy(5)).toEqual({ 'subset-elastic': 5 })
    await seen.shows({ pods: { 'subset-normal': 4, 'subset-elastic': 1 } })
    await seen.limitNode(1, 20)
    await seen.scale(12)
    await seen.shows({ pods: { 'subset-normal': 11, 'subset-elastic': 1 } })
  })

  test('pods that are entered together do not take the same room for theirs', async () => {
    await begin(2, { spread: 'adaptive-pools', nodes, size: 0 })
    await seen.empties()
    // Counts have to be written, and requests that arrive during a write wait for the next one together.
    await seen.limitSubset(0, 100)
    await seen.limitNode(1, 4)
    await seen.scale(10)
    await seen.shows({ pods: both.pods, missing: { 'subset-normal': 96, 'subset-elastic': -1 } })
    expect(await conditionOf('subset-normal')).toMatchObject({ status: 'True', reason: 'Sufficient' })
    expect((await seen.pods()).every(({ spec }) => spec.nodeName)).toBe(true)
  })

  test('without it, pods wait 30 s, are made anew elsewhere, and the pool is passed over for 300 s', async () => {
    await begin(2, { spread: 'adaptive-pools', nodes, size: 0 })
    await seen.empties()
    await likeUpstream()
    await seen.limitNode(1, 4)
    await seen.scale(10)
    await seen.shows({ pods: { 'subset-normal': 10 }, missing: unlimited })
    const waiting = async (): Promise<number> => (await seen.pods()).filter(({ spec }) => !spec.nodeName).length
    await seen.member.env.eventually(async () => expect(await waiting()).toBe(6))
    await seen.member.env.advance(31_000)
    await seen.shows(both)
    expect(await waiting()).toBe(0)
    expect(await conditionOf('subset-normal')).toMatchObject({ status: 'False', reason: 'PodUnschedulable' })
    await seen.limitNode(1, 20)
    await seen.scale(12)
    await seen.shows({ pods: { 'subset-normal': 4, 'subset-elastic': 8 } })
    await seen.member.env.advance(301_000)
    await seen.member.env.eventually(async () =>
      expect(await conditionOf('subset-normal')).toMatchObject({ status: 'True', reason: 'Sufficient' }),
    )
    await seen.scale(14)
    await seen.shows({ pods: { 'subset-normal': 6, 'subset-elastic': 8 } })
    expect(await removedBy(6)).toEqual({ 'subset-elastic': 8 })
    const events = await tool.kubectl(['get', 'events', '-o', 'jsonpath={.items[*].reason}'])
    expect(events).toContain('RecoverSchedulable')
  })

  test('pods that wait go before all others, whatever they weigh', async () => {
    await begin(2, { spread: 'adaptive-pools', nodes, size: 0 })
    await seen.empties()
    await likeUpstream()
    await seen.limitNode(1, 4)
    await seen.scale(10)
    await seen.member.env.eventually(async () =>
      expect((await seen.pods()).filter(({ status }) => status?.phase === 'Running')).toHaveLength(4),
    )
    await seen.scale(4)
    await seen.member.env.eventually(async () => {
      const left = await seen.pods()
      expect(left).toHaveLength(4)
      expect(left.every(({ status }) => status?.phase === 'Running')).toBe(true)
    })
  })
})

describe('scenario 3: three zones, 1:1:3', { timeout: 90_000 }, () => {
  const nodes = ['zone-a', 'zone-b', 'zone-c'].map(zone)
  const shows = (a: number, b: number, c: number, missing: readonly [number, number, number]) => {
    const present = Object.entries({ 'subset-a': a, 'subset-b': b, 'subset-c': c }).filter(([, pods]) => pods > 0)
    return seen.shows({
      pods: Object.fromEntries(present),
      missing: { 'subset-a': missing[0], 'subset-b': missing[1], 'subset-c': missing[2] },
    })
  }

  test('shares are rounded up, and the order of the subsets decides', async () => {
    await begin(3, { spread: 'zones-1-1-3', nodes })
    await shows(2, 2, 6, [0, 0, 0])
    expect((await seen.picture()).costs).toEqual({
      'subset-a': { 300: 2 },
      'subset-b': { 200: 2 },
      'subset-c': { 100: 6 },
    })
    const table: [number, number, number, number, [number, number, number]][] = [
      [1, 1, 0, 0, [0, 1, 1]],
      [5, 1, 1, 3, [0, 0, 0]],
      [7, 2, 2, 3, [0, 0, 2]],
      [99, 20, 20, 59, [0, 0, 1]],
      [100, 20, 20, 60, [0, 0, 0]],
      [101, 21, 21, 59, [0, 0, 2]],
    ]
    for (const [size, a, b, c, missing] of table) {
      await seen.scale(0)
      await seen.empties()
      await seen.scale(size)
      await shows(a, b, c, missing)
    }
  })

  test('shares hold however fast the workload grows and shrinks', async () => {
    await begin(3, { spread: 'zones-1-1-3', nodes, size: 5 })
    await shows(1, 1, 3, [0, 0, 0])
    for (const round of [1, 2, 3]) {
      await seen.scale(10)
      await shows(2, 2, 6, [0, 0, 0])
      expect([round, await removedBy(5)]).toEqual([round, { 'subset-a': 1, 'subset-b': 1, 'subset-c': 3 }])
      await shows(1, 1, 3, [0, 0, 0])
    }
  })
})

test('scenario 4: labels and limits for each kind of processor', { timeout: 60_000 }, async () => {
  await begin(4, { spread: 'per-arch', nodes: [arch('amd64'), arch('arm64')] })
  await seen.shows({
    pods: { 'subset-x86-arch': 2, 'subset-arm-arch': 3 },
    costs: { 'subset-x86-arch': { 200: 2 }, 'subset-arm-arch': { 100: 3 } },
    missing: { 'subset-x86-arch': 0, 'subset-arm-arch': -1 },
  })
  const made = (await seen.pods()).map(({ metadata, spec }) =>
    JSON.stringify([metadata.labels?.['resource.cpu/arch'], spec.containers?.[0]?.resources?.limits, spec.nodeName]),
  )
  expect(
    count(
      (await seen.pods()).map((pod, index) => ({ ...pod, kind: made[index]! })),
      ({ kind }) => kind,
    ),
  ).toEqual({
    [JSON.stringify(['x86', { cpu: '500m', memory: '800Mi' }, 'm1-node-1'])]: 2,
    [JSON.stringify(['arm', { cpu: '300m', memory: '600Mi' }, 'm1-node-2'])]: 3,
  })
  expect(await removedBy(4)).toEqual({ 'subset-arm-arch': 1 })
})
