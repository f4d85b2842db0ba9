import { expect, onTestFinished, test } from 'vitest'
import { type PlannedWorkload, rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { parseTime } from '@/lib/std/clock'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { samplePlan, T0, T1 } from '@/lib/view/project/testing/samples'
import { BINDINGS, PLANS } from '../access/resources'
import { EVERYTHING, scopeOf } from '../access/scope'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { openJournal } from '../recorder/journal'
import { journalInMemory } from '../recorder/journal-memory'
import { FedInformers } from '../testing/fed-informers'
import { watchControlPlane } from './all'

const seeing = ({ group, resource }: { group: string; resource: string }) =>
  scopeOf(new Map([[`${resource}.${group}`, 'all' as const]]))

async function startViews() {
  const informers = new FedInformers()
  const clock = createFakeClock(parseTime(T0))
  const cache = new ControlPlaneCache(informers)
  const journal = await openJournal({ storage: journalInMemory(), clock })
  const views = watchControlPlane({ cache, clock, journal, onError: (error) => expect.unreachable(String(error)) })
  views.start()
  onTestFinished(() => views.stop())
  informers.syncAll()
  return { objects: informers.of(rebalancePlan), plans: views.plans }
}

const target = (name: string, more: Partial<PlannedWorkload> = {}): PlannedWorkload => ({
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name },
  stage: 'Applied',
  before: [{ name: 'm1', replicas: 3 }],
  predicted: [{ name: 'm2', replicas: 3 }],
  triggeredAt: T1,
  ...more,
})

const running = (...workloads: PlannedWorkload[]) => samplePlan({ status: { phase: 'Running', workloads } })

test('a row is the same until something changes that it shows, and so is what a page has not changed', async () => {
  const { objects, plans } = await startViews()
  const look = () => [plans.page('spread', EVERYTHING)!, plans.row('spread', EVERYTHING)!] as const
  objects.put(running(target('api'), target('web')))
  const [page, row] = look()
  objects.put(running(target('api'), target('web', { readyLowest: 2 })))
  const [laterPage, sameRow] = look()
  expect(laterPage.targets.map(({ ready }) => ready.lowest)).toEqual([undefined, 2])
  expect([laterPage.targets[0] === page.targets[0], laterPage === page, sameRow === row]).toEqual([true, false, true])

  objects.put(running(target('api'), target('web', { stage: 'Healthy' })))
  const [, otherRow] = look()
  expect([row.moves.length, otherRow.moves.length, otherRow.ids === row.ids]).toEqual([2, 1, true])
})

test('a plan is projected once for its row and its page, until it or a plan that undoes it changes', async () => {
  const { objects, plans } = await startViews()
  const others = seeing(PLANS)
  objects.put(samplePlan({ status: { phase: 'Completed', workloads: [target('web', { stage: 'Done' })] } }))
  const page = plans.page('spread', EVERYTHING)
  expect([plans.page('spread', others), plans.row('spread', others)]).toEqual([page, plans.row('spread', EVERYTHING)])
  expect(plans.page('spread', others)).toBe(page)
  const undo = { metadata: { name: 'back' }, spec: { undoOf: 'spread' } }
  objects.put(samplePlan(undo))
  expect(plans.row('spread', others)).toMatchObject({ undoneBy: ['back'], actions: [] })
  objects.put(samplePlan({ ...undo, status: { phase: 'Stopped' } }))
  expect(plans.row('spread', others)).toMatchObject({ undoneBy: ['back'], actions: ['undo'] })
})

test('there is neither row nor page of a missing plan, nor without the right to view plans', async () => {
  const { objects, plans } = await startViews()
  objects.put(samplePlan())
  const both = (name: string, scope = EVERYTHING) => [plans.row(name, scope), plans.page(name, scope)]
  expect(both('spread')).toMatchObject([{ name: 'spread' }, { name: 'spread' }])
  expect([...both('other'), ...both('spread', seeing(BINDINGS))]).toEqual(Array(4).fill(undefined))
  objects.remove(samplePlan())
  expect(both('spread')).toEqual([undefined, undefined])
})

test('pages with many targets are sent less often', async () => {
  const { objects, plans } = await startViews()
  const putWith = (name: string, count: number) => {
    const workloads = Array.from({ length: count }, (_, index) => target(`web-${index}`))
    objects.put(samplePlan({ metadata: { name }, status: { phase: 'Running', workloads } }))
    plans.page(name, EVERYTHING)
  }
  putWith('small', 100)
  putWith('large', 1_000)
  expect(['small', 'large', 'none'].map((name) => plans.pageIntervalMs(name))).toEqual([undefined, 100, undefined])
})
