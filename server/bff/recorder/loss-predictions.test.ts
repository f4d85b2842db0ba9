import { expect, onTestFinished, test } from 'vitest'
import { isJudged } from '@/lib/domain/rebalance/loss'
import { cluster } from '@/lib/kube/kinds/cluster'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import { createFakeClock } from '@/lib/testing/fake-clock'
import type { JournalEntry } from '@/lib/view/journal'
import { ready, sampleBinding, sampleCluster } from '@/lib/view/project/testing/samples'
import { startFailingFleet } from '@/server/testing/failing-fleet'
import { OUTAGE_S, populate } from '@/server/testing/outage-replay'
import { ControlPlaneCache } from '../cache/control-plane-cache'
import { Journal } from './journal'
import { FedInformers } from '../testing/fed-informers'
import { journalInMemory } from './journal-memory'
import { LossPredictions } from './loss-predictions'
import { Observer } from './observer'

type Prediction = Extract<JournalEntry, { what: 'prediction' }>

/** A generated fleet on the embedded API server, with every loop from template to member. */
async function startFleet(seed: number) {
  const fleet = await startFailingFleet({ evictionsPerSecond: 20, noExecuteAfterMs: 5_000 })
  onTestFinished(() => fleet.close())
  await populate(fleet, { clusters: 5, workloads: 30, seed })
  const { clock, informers } = fleet.env
  const storage = journalInMemory()
  const told: [number, number][] = []
  const follow = async () => {
    const journal = new Journal({ clock, storage })
    await journal.recall()
    const cache = new ControlPlaneCache(informers)
    const observer = new Observer(journal)
    observer.start(cache)
    const predictions = new LossPredictions({
      cache,
      journal,
      clock,
      metrics: { incidentPredictions: (exact, missed) => void told.push([exact, missed]) },
      failover: { timing: { evictionsPerSecond: 20, reportsAfterMs: 500 } },
    })
    predictions.start()
    await cache.whenSynced()
    const stop = (): void => {
      predictions.stop()
      observer.stop()
    }
    onTestFinished(stop)
    return { journal, stop }
  }
  return { ...fleet, fleet, told, follow }
}

async function predictionsIn(journal: Journal): Promise<Prediction[]> {
  const found: Prediction[] = []
  for await (const entry of journal.read({ whats: ['prediction'] })) if (entry.what === 'prediction') found.push(entry)
  return found
}

test('the predictions for a lost cluster match and are counted', { timeout: 300_000 }, async () => {
  const { fleet, told, follow } = await startFleet(1)
  const { journal } = await follow()
  await fleet.setUp('m001', false)
  await fleet.timeline.pass(OUTAGE_S)
  const entries = await predictionsIn(journal)
  const made = entries.filter(({ after }) => after?.result === undefined)
  const ended = entries.filter(({ after }) => after?.result !== undefined && isJudged(after.result))
  expect(made.length).toBeGreaterThan(5)
  expect(
    made.every(({ cluster, after }) => cluster === 'm001' && after!.before.some(({ name }) => name === 'm001')),
  ).toBe(true)
  const { [0]: sum } = journal.predictions.accuracies()
  const shown = JSON.stringify(ended.filter(({ after }) => after?.result !== 'exact'))
  expect(ended.length, shown).toBe(made.length)
  expect(sum!.exact / made.length, shown).toBeGreaterThanOrEqual(0.9)
  expect(sum).toMatchObject({ cluster: 'm001', since: journal.outageSince('m001') })
  expect(told.at(-1)).toEqual([sum!.exact, sum!.missed])
  expect(journal.predictions.open()).toEqual([])
})

test('a prediction outlives the process that made it', { timeout: 300_000 }, async () => {
  const { fleet, told, follow } = await startFleet(2)
  const first = await follow()
  await fleet.setUp('m001', false)
  const { predictions } = first.journal
  for (let second = 0; second < OUTAGE_S && predictions.open().length === 0; second += 1) await fleet.timeline.pass(1)
  const open = predictions.open().length
  expect(open).toBeGreaterThan(0)
  first.stop()
  await fleet.timeline.pass(OUTAGE_S)
  const { journal } = await follow()
  await fleet.timeline.pass(1)
  expect(journal.predictions.open()).toEqual([])
  expect(told.at(-1)!.reduce((sum, count) => sum + count, 0)).toBe(open)
})

/** A console over informers that are fed by hand, with the journal of the process before it. */
function startFed(storage = journalInMemory()) {
  const informers = new FedInformers()
  const clock = createFakeClock()
  const cache = new ControlPlaneCache(informers)
  const journal = new Journal({ clock, storage })
  const start = async () => {
    await journal.recall()
    const observer = new Observer(journal)
    observer.start(cache)
    const predictions = new LossPredictions({
      cache,
      journal,
      clock,
      metrics: { incidentPredictions: () => undefined },
    })
    predictions.start()
    onTestFinished(() => {
      predictions.stop()
      observer.stop()
    })
  }
  return { informers, journal, start }
}

test('a cluster that arrives before its bindings after a restart ends no prediction', async () => {
  const storage = journalInMemory()
  const first = startFed(storage)
  await first.start()
  for (const name of ['m1', 'm2']) first.informers.of(cluster).put(sampleCluster(name))
  first.informers.of(resourceBinding).put(sampleBinding())
  first.informers.syncAll()
  await first.informers.whenSynced()
  first.informers.of(cluster).put(sampleCluster('m1', { status: ready('False') }))
  expect(first.journal.predictions.open()).toMatchObject([{ cluster: 'm1' }])

  const { informers, journal, start } = startFed(storage)
  await start()
  informers.of(cluster).put(sampleCluster('m1', { status: ready('False') }))
  informers.of(cluster).put(sampleCluster('m1', { status: ready('True') }))
  informers.of(cluster).put(sampleCluster('m1', { status: ready('False') }))
  expect(await predictionsIn(journal)).toHaveLength(1)
  informers.of(resourceBinding).put(sampleBinding())
  informers.syncAll()
  await informers.whenSynced()
  const [, ...later] = await predictionsIn(journal)
  expect(later.map(({ after }) => after?.result)).not.toContain('deleted')
})
