import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { aggregated, byAvailableReplicas, duplicated } from '@/lib/testing/builders'
import { type Env, startEnv } from '@/server/testing/start-env'
import { karmadaProfile } from '../shared/compatibility'
import { schedulerController, type SchedulerOptions } from '.'
import { placedOf, schedulingIn, still } from './testing/scheduling'

let env: Env
let words: ReturnType<typeof schedulingIn>
beforeEach(async () => {
  // Some cases suspend placed bindings, which only a server like upstream's admits.
  env = await startEnv({ compatibility: karmadaProfile })
  words = schedulingIn(env)
})
afterEach(() => env.close())

const run = (options: SchedulerOptions = {}) => env.run(schedulerController(env.context(), options))
const label = (name: string, tier: string | null) =>
  env.client.patch(clusterKind, { name }, { type: 'merge', value: { metadata: { labels: { tier } } } })
const room = (name: string, cpu: string) =>
  words.reports(name, { resourceSummary: { allocatable: { cpu, memory: '256Gi', pods: '1000' }, allocated: {} } })
const gold = { ...aggregated(), clusterAffinity: { labelSelector: { matchLabels: { tier: 'gold' } } } }
const START = '2026-01-01T00:00:00Z'

/** Result of one case with the deviation, and without it. */
interface Story {
  off: SchedulerOptions
  happens(): Promise<unknown>
  ours: unknown
  upstreams: unknown
}

const stories: Record<string, Story> = {
  'a binding paused while it waits': {
    off: { profile: { holdSuspended: false }, wakeOnCapacity: false },
    happens: async () => {
      await env.createCluster('member1', { cpu: '100m' })
      await words.bind('web', { replicas: 2, cpu: '1', placement: aggregated() })
      await words.says('web', /^False Unschedulable/)
      await words.change('web', { suspension: { scheduling: true } })
      await room('member1', '64')
      await words.hasLooked()
      await env.advance(300_000)
      await words.hasLooked()
      return placedOf(await words.read('web'))
    },
    ours: {},
    upstreams: { member1: 2 },
  },
  'a trigger that would leave fewer replicas': {
    off: { profile: { keepWhenFewer: false } },
    happens: async () => {
      for (const name of ['member1', 'member2']) await env.createCluster(name, { labels: { tier: 'gold' } })
      await words.bind('web', { replicas: 2, placement: { ...gold, ...duplicated() } })
      await words.becomes('web', { member1: 2, member2: 2 })
      await words.change('web', { suspension: { scheduling: true } })
      await label('member2', 'bronze')
      await env.advance(60_000)
      await words.change('web', { rescheduleTriggeredAt: '2026-01-01T00:01:00Z' })
      await words.change('web', { suspension: { scheduling: false } })
      await words.hasLooked()
      return placedOf(await words.read('web'))
    },
    ours: { member1: 2, member2: 2 },
    upstreams: { member1: 2 },
  },
  'a trigger stamped in the second of the last success': {
    off: { profile: { sameSecondTriggers: false } },
    happens: async () => {
      for (const name of ['member1', 'member2']) await env.createCluster(name, { cpu: '3' })
      await words.bind('web', { replicas: 6, cpu: '1', placement: aggregated() })
      await words.becomes('web', { member1: 3, member2: 3 })
      await room('member1', '16')
      await words.change('web', { rescheduleTriggeredAt: START })
      await words.hasLooked()
      return placedOf(await words.read('web'))
    },
    ours: { member1: 6 },
    upstreams: { member1: 3, member2: 3 },
  },
  'a fresh run that no cluster fits': {
    off: { profile: { keepWhenNothingFits: false } },
    happens: async () => {
      await env.createCluster('member1', { labels: { tier: 'gold' } })
      await words.bind('web', { replicas: 2, placement: gold })
      await words.becomes('web', { member1: 2 })
      await label('member1', null)
      await env.advance(60_000)
      await words.change('web', { rescheduleTriggeredAt: '2026-01-01T00:00:30Z' })
      await words.says('web', /^False NoClusterFit/)
      return placedOf(await words.read('web'))
    },
    ours: { member1: 2 },
    upstreams: {},
  },
  'nowhere to go but the cluster that was left for a taint, which is gone': {
    off: { profile: { returnToPredecessors: false } },
    happens: async () => {
      await env.createCluster('member1')
      const gracefulEvictionTasks = [{ fromCluster: 'member1', reason: 'TaintUntolerated', producer: 'TaintManager' }]
      await words.bind('web', { replicas: 2, placement: aggregated(), spec: { gracefulEvictionTasks } })
      return placedOf(await words.says('web', /./))
    },
    ours: { member1: 2 },
    upstreams: {},
  },
  'room for a binding that waits': {
    off: { wakeOnCapacity: false },
    happens: async () => {
      await env.createCluster('member1', { cpu: '100m' })
      await words.bind('web', { replicas: 2, cpu: '1', placement: aggregated() })
      await words.says('web', /^False Unschedulable/)
      await room('member1', '64')
      await words.hasLooked()
      return placedOf(await words.read('web'))
    },
    ours: { member1: 2 },
    upstreams: {},
  },
  'a trigger that lies ahead of our clock': {
    off: { forwardTimes: false, profile: { sameSecondTriggers: false } },
    happens: async () => {
      await env.createCluster('member1')
      await words.bind('web', { replicas: 2, placement: aggregated() })
      await words.becomes('web', { member1: 2 })
      await words.change('web', { rescheduleTriggeredAt: '2026-01-01T00:00:09Z' })
      await words.hasLooked()
      return (await words.read('web')).status?.lastScheduledTime
    },
    ours: '2026-01-01T00:00:10Z',
    upstreams: START,
  },
  'another look at a binding that is placed well': {
    off: { leaveSettled: false },
    happens: async () => {
      await env.createCluster('member1')
      await words.bind('web', { replicas: 2 })
      await words.becomes('web', { member1: 2 })
      await env.advance(60_000)
      await label('member1', 'gold')
      await words.hasLooked()
      return (await words.read('web')).status?.lastScheduledTime
    },
    ours: START,
    upstreams: '2026-01-01T00:01:00Z',
  },
  'the same failure again': {
    off: { emitOnce: false },
    happens: async () => {
      await env.createCluster('member1', { cpu: '100m' })
      await words.bind('web', { replicas: 2, cpu: '1', placement: aggregated() })
      await words.says('web', /^False Unschedulable/)
      await label('member1', 'gold')
      await words.hasLooked()
      return words.failuresOf('web')
    },
    ours: 1,
    upstreams: 2,
  },
}

describe.each(Object.entries(stories))('%s', (_name, { off, happens, ours, upstreams }) => {
  test.each<[string, SchedulerOptions, unknown]>([
    ['our way', {}, ours],
    ['with its switch off', off, upstreams],
    ['all as upstream', karmadaProfile.scheduler, upstreams],
  ])('%s', async (_way, options, outcome) => {
    await run(options)
    expect(await happens()).toEqual(outcome)
  })
})

describe('as upstream', () => {
  test('schedules one binding at a time, and single options still apply', () => {
    const concurrency = (options: SchedulerOptions) => schedulerController(env.context(), options).concurrency
    expect([{}, karmadaProfile.scheduler, { ...karmadaProfile.scheduler, concurrency: 3 }].map(concurrency)).toEqual([
      16, 1, 3,
    ])
  })
})

describe('a trigger written by a user in the second of the last success', () => {
  /** Versions of the binding over an hour. */
  async function settles(): Promise<string[]> {
    await words.hasLooked()
    const before = (await words.read('web')).metadata.resourceVersion
    await env.advance(3_600_000)
    await label('member2', 'gold')
    await words.hasLooked()
    return [before, (await words.read('web')).metadata.resourceVersion]
  }

  beforeEach(async () => {
    for (const name of ['member1', 'member2']) await env.createCluster(name, { cpu: '3' })
    await run()
    await words.bind('web', { replicas: 6, cpu: '1', placement: byAvailableReplicas() })
    await words.becomes('web', { member1: 3, member2: 3 })
    await room('member1', '27')
    await words.hasLooked()
  })

  test('is processed exactly once', async () => {
    await words.change('web', { rescheduleTriggeredAt: START })
    const { status } = await words.becomes('web', { member1: 5, member2: 1 })
    expect(status?.lastScheduledTime).toBe('2026-01-01T00:00:01Z')
    const [before, after] = await settles()
    expect(after).toBe(before)
  })

  test('is processed once also if the next one follows a second later', async () => {
    await words.change('web', { rescheduleTriggeredAt: START })
    await words.becomes('web', { member1: 5, member2: 1 })
    await room('member1', '3')
    await env.advance(1000)
    await words.change('web', { rescheduleTriggeredAt: '2026-01-01T00:00:01Z' })
    const { status } = await words.becomes('web', { member1: 4, member2: 2 })
    expect(status?.lastScheduledTime).toBe('2026-01-01T00:00:02Z')
    const [before, after] = await settles()
    expect(after).toBe(before)
  })

  test('does not make a later change of replicas a fresh run', async () => {
    await words.change('web', { rescheduleTriggeredAt: START })
    await words.becomes('web', { member1: 5, member2: 1 })
    await room('member1', '0')
    await words.change('web', { replicas: 7 })
    await words.becomes('web', { member1: 5, member2: 2 })
  })

  test('waits while no cluster has capacity, and is processed when one has', async () => {
    for (const name of ['member1', 'member2']) await room(name, '0')
    await words.change('web', { rescheduleTriggeredAt: START, replicas: 8 })
    expect(placedOf(await words.says('web', /^False Unschedulable/))).toEqual({ member1: 3, member2: 3 })
    await room('member2', '64')
    await env.eventually(
      async () => expect((await words.read('web')).status?.lastScheduledTime).toBe('2026-01-01T00:00:01Z'),
      still,
    )
  })
})
