import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { work } from '@/lib/kube/kinds/work'
import { workloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import { formatTime, parseTime } from '@/lib/std/clock'
import { createFakeClock } from '@/lib/testing/fake-clock'
import {
  ready,
  sampleBinding,
  sampleCluster,
  sampleRebalancer,
  sampleWork,
  scheduled,
  T0,
} from '@/lib/view/project/testing/samples'
import { EVERYTHING, scopeOf } from '../access/scope'
import * as resources from '../access/resources'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { ControlPlaneIds } from '../read-model/control-plane-ids'
import { openJournal } from '../recorder/journal'
import { journalInMemory } from '../recorder/journal-memory'
import { FedInformers } from '../testing/fed-informers'
import { watchControlPlane } from './all'
import { RebalancerRows } from './rebalancers'

const NAMES = ['api', 'db', 'web'] as const
const REBALANCERS = ['one', 'two'] as const
const MEMBERS = ['m1', 'm2'] as const

/** Sees the workloads of no namespace, but the rebalancers. */
const REBALANCERS_ONLY = scopeOf(new Map([[`${resources.REBALANCERS.resource}.${resources.REBALANCERS.group}`, 'all']]))

async function startViews() {
  const informers = new FedInformers()
  const clock = createFakeClock(parseTime(T0))
  const cache = new ControlPlaneCache(informers)
  const journal = await openJournal({ storage: journalInMemory(), clock })
  const views = watchControlPlane({ cache, clock, journal, onError: (error) => expect.unreachable(String(error)) })
  views.start()
  informers.syncAll()
  /** As a console that has just been started would show it, from the same records. */
  const anew = (): RebalancerRows =>
    new RebalancerRows({
      all: new ControlPlaneIds(cache),
      models: views.models,
      rows: views.workloads,
      expectedTouched: views.expected.touched,
    })
  return { informers, clock, cache, views, anew }
}

type Started = Awaited<ReturnType<typeof startViews>>
type Step = (fleet: Started) => void | Promise<void>

const at = ({ clock }: Started): string => formatTime(clock.now())
const name = fc.constantFrom(...NAMES)
const clusters = fc.record({ m1: fc.integer({ min: 0, max: 3 }), m2: fc.integer({ min: 1, max: 3 }) })

/** Puts a binding: scheduled before or after its trigger, or not at all, anywhere. */
const putBinding = fc
  .record({ name, clusters, triggered: fc.boolean(), scheduled: fc.boolean(), observes: fc.boolean() })
  .map(({ name: of, clusters: to, triggered, scheduled, observes }): Step => (fleet) => {
    fleet.informers
      .of(resourceBinding)
      .put(
        sampleBinding({
          name: of,
          clusters: to,
          metadata: { generation: 2 },
          spec: triggered ? { rescheduleTriggeredAt: at(fleet) } : {},
          status: { schedulerObservedGeneration: observes ? 2 : 1, lastScheduledTime: scheduled ? at(fleet) : T0 },
        }),
      )
  })

const removeBinding = name.map((of): Step => ({ informers }) => {
  informers.of(resourceBinding).remove(sampleBinding({ name: of }))
})

const putWork = fc
  .record({ name, member: fc.constantFrom(...MEMBERS), isThere: fc.boolean() })
  .map(({ name: of, member, isThere }): Step => ({ informers }) => {
    if (isThere) informers.of(work).put(sampleWork(member, { name: of }))
    else informers.of(work).remove(sampleWork(member, { name: of }))
  })

const putRebalancer = fc
  .record({
    called: fc.constantFrom(...REBALANCERS),
    names: fc.subarray([...NAMES]),
    results: fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('Successful' as const, 'Failed' as const)),
    isRemoved: fc.boolean(),
  })
  .map(({ called, names, results, isRemoved }): Step => (fleet) => {
    const observedWorkloads = Object.entries(results).map(([of, result]) => ({
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: of },
      result,
    }))
    const informer = fleet.informers.of(workloadRebalancer)
    const creationTimestamp = informer.get(called)?.metadata.creationTimestamp ?? at(fleet)
    const rebalancer = sampleRebalancer(names, {
      metadata: { name: called, creationTimestamp },
      status: { observedWorkloads },
    })
    if (isRemoved) informer.remove(rebalancer)
    else informer.put(rebalancer)
  })

const putCluster = fc
  .record({ member: fc.constantFrom(...MEMBERS), status: fc.constantFrom('True' as const, 'Unknown' as const) })
  .map(({ member, status }): Step => ({ informers }) => {
    informers.of(cluster).put(sampleCluster(member, { status: ready(status) }))
  })

const wait = fc.integer({ min: 1, max: 90_000 }).map(
  (ms): Step =>
    ({ clock }) =>
      clock.advance(ms),
)

/** Looks at the rows, or begins to: some of the targets are then as they were. */
const look = fc.integer({ min: 0, max: 3 }).map((targets): Step => ({ views }) => {
  let left = targets
  views.rebalancers.prepare(EVERYTHING, () => left-- <= 0)
})

test('rows and pages that follow changes are those that are projected anew, for readers with different rights', async () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: putBinding },
      { weight: 3, arbitrary: putRebalancer },
      { weight: 2, arbitrary: putWork },
      { weight: 2, arbitrary: wait },
      { weight: 3, arbitrary: look },
      removeBinding,
      putCluster,
    ),
    { minLength: 5, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const fleet = await startViews()
      for (const step of taken) {
        await step(fleet)
        const anew = fleet.anew()
        for (const scope of [EVERYTHING, REBALANCERS_ONLY]) {
          for (const called of REBALANCERS) {
            expect(fleet.views.rebalancers.row(called, scope)).toEqual(anew.row(called, scope))
            expect(fleet.views.rebalancers.page(called, scope)).toEqual(anew.page(called, scope))
          }
        }
      }
      fleet.views.stop()
    }),
    { seed: 20261128, numRuns: 150 },
  )
})

test('only what changed is projected again, and the rest keeps its identity', async () => {
  const { informers, views } = await startViews()
  for (const of of NAMES) informers.of(resourceBinding).put(sampleBinding({ name: of }))
  informers.of(workloadRebalancer).put(sampleRebalancer(NAMES, { metadata: { name: 'one' } }))
  const before = views.rebalancers.page('one', EVERYTHING)!
  expect(views.rebalancers.page('one', EVERYTHING)).toBe(before)
  informers.of(resourceBinding).put(sampleBinding({ name: 'db', metadata: { deletionTimestamp: T0 } }))
  let asked = 0
  expect(views.rebalancers.prepare(EVERYTHING, () => asked++ > 0)).toBe(true)
  const after = views.rebalancers.page('one', EVERYTHING)!
  expect(after.targets.map((target, index) => target === before.targets[index])).toEqual([true, false, true])
  views.stop()
})

test('a row is the same until something changes that it shows', async () => {
  const { informers, views } = await startViews()
  for (const of of NAMES) informers.of(resourceBinding).put(sampleBinding({ name: of }))
  const put = (workloads: readonly string[], status = {}): void =>
    informers.of(workloadRebalancer).put(sampleRebalancer(workloads, { metadata: { name: 'one' }, status }))
  const look = () => [views.rebalancers.page('one', EVERYTHING)!, views.rebalancers.row('one', EVERYTHING)!] as const
  put(NAMES)
  const [page, row] = look()
  const result = { workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name: 'db' } }
  put(NAMES, { observedWorkloads: [{ ...result, reason: 'seen' }] })
  const [laterPage, sameRow] = look()
  expect([laterPage.targets.map(({ reason }) => reason), page.targets.map(({ reason }) => reason)]).toEqual([
    [undefined, 'seen', undefined],
    [undefined, undefined, undefined],
  ])
  expect(sameRow).toBe(row)

  put(NAMES.slice(1), { observedWorkloads: [{ ...result, result: 'Failed' }] })
  const [, otherRow] = look()
  expect([row.ids.length, otherRow.ids.length, row.counts.failed, otherRow.counts.failed]).toEqual([3, 2, 0, 1])
  views.stop()
})

test('a reader who sees no workloads gets the ids of the targets, but no move of them', async () => {
  const { informers, clock, views } = await startViews()
  const web = (parts: Parameters<typeof sampleBinding>[0]) =>
    informers.of(resourceBinding).put(sampleBinding({ name: 'web', ...parts }))
  web({ clusters: { m1: 3 } })
  clock.advance(1000)
  const at = formatTime(clock.now())
  informers.of(workloadRebalancer).put(sampleRebalancer(['web'], { metadata: { name: 'one', creationTimestamp: at } }))
  web({
    clusters: { m2: 3 },
    spec: { rescheduleTriggeredAt: at },
    status: { lastScheduledTime: at, conditions: [scheduled] },
  })
  const id = 'apps~v1/Deployment/demo/web'
  const move = { id, before: [{ cluster: 'm1', replicas: 3 }], after: [{ cluster: 'm2', replicas: 3 }] }
  expect(views.rebalancers.row('one', EVERYTHING)).toMatchObject({ ids: [id], moves: [move], counts: { scheduled: 1 } })
  expect(views.rebalancers.row('one', REBALANCERS_ONLY)).toMatchObject({ ids: [id], moves: [] })
  views.stop()
})

test('messages about many targets are less frequent: pages by their own number, rows by the largest', async () => {
  const { informers, views } = await startViews()
  const names = (count: number) => Array.from({ length: count }, (_, index) => `web-${index}`)
  for (const [name, count] of [
    ['one', 100],
    ['two', 5_000],
  ] as const)
    informers.of(workloadRebalancer).put(sampleRebalancer(names(count), { metadata: { name } }))
  const { rebalancers } = views
  const intervals = () => [
    rebalancers.pageIntervalMs('one'),
    rebalancers.pageIntervalMs('two'),
    rebalancers.rowsIntervalMs(),
  ]
  expect(intervals()).toEqual([undefined, 500, 250])
  informers.of(workloadRebalancer).remove(sampleRebalancer([], { metadata: { name: 'two' } }))
  expect(intervals()).toEqual([undefined, undefined, undefined])
  views.stop()
})

test('targets are projected in parts', async () => {
  const { informers, views } = await startViews()
  for (const of of NAMES) informers.of(resourceBinding).put(sampleBinding({ name: of }))
  informers.of(workloadRebalancer).put(sampleRebalancer(NAMES, { metadata: { name: 'one' } }))
  const twoAtATime = (): boolean => {
    let left = 2
    return views.rebalancers.prepare(EVERYTHING, () => left-- <= 0)
  }
  expect([twoAtATime(), twoAtATime(), twoAtATime()]).toEqual([false, true, true])
  views.stop()
})
