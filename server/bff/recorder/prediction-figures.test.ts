import { expect, test } from 'vitest'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { createFakeClock } from '@/lib/testing/fake-clock'
import { FedInformers } from '../testing/fed-informers'
import { type Journal, openJournal } from './journal'
import { journalInMemory } from './journal-memory'
import { followPredictions } from './prediction-figures'

const planned = (name: string, finishedAt: string | undefined, ...errors: number[]): RebalancePlanObject =>
  ({
    apiVersion: 'rebalance.evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: { name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '2026-11-21T09:00:00Z' },
    spec: {},
    status: { finishedAt, workloads: errors.map((predictionError) => ({ predictionError })) },
  }) as unknown as RebalancePlanObject

test('sums up finished plans, each once, also after they are deleted and after a restart', async () => {
  const storage = journalInMemory()
  const open = () => openJournal({ storage, clock: createFakeClock() })
  const told: [number, number][] = []
  const follow = (journal: Journal): FedInformers => {
    const informers = new FedInformers()
    followPredictions(informers.of(rebalancePlan), {
      journal,
      metrics: { predictions: (exact, missed) => told.push([exact, missed]) },
    })
    return informers
  }
  const journal = await open()
  const plans = follow(journal).of(rebalancePlan)
  plans.put(planned('a', undefined, 0, 1))
  plans.put(planned('nothing', '2026-11-21T09:05:00Z'))
  expect(told).toEqual([])
  plans.put(planned('a', '2026-11-21T09:10:00Z', 0, 1))
  plans.put(planned('a', '2026-11-21T09:10:00Z', 0, 1))
  plans.put(planned('b', '2026-11-21T09:20:00Z', 0, 0))
  expect(told.at(-1)).toEqual([3, 1])
  plans.remove(planned('a', undefined))
  expect(told.at(-1)).toEqual([3, 1])

  told.length = 0
  const again = await open()
  const restarted = follow(again).of(rebalancePlan)
  expect(told).toEqual([[3, 1]])
  restarted.put(planned('b', '2026-11-21T09:20:00Z', 0, 0))
  expect(again.accuracies.map(({ plan }) => plan)).toEqual(['a', 'b'])
})
