import { expect, test } from 'vitest'
import { rebalancePlan, type RebalancePlanObject } from '@/lib/kube/kinds/rebalance-plan'
import { FedInformers } from '../testing/fed-informers'
import { followPredictions } from './prediction-figures'

const planned = (name: string, finishedAt: string | undefined, ...errors: number[]): RebalancePlanObject =>
  ({
    apiVersion: 'rebalance.evenkeel.io/v1alpha1',
    kind: 'RebalancePlan',
    metadata: { name, uid: name, resourceVersion: '1', generation: 1, creationTimestamp: '2026-11-21T09:00:00Z' },
    spec: {},
    status: { finishedAt, workloads: errors.map((predictionError) => ({ predictionError })) },
  }) as unknown as RebalancePlanObject

test('sums up finished plans, each once, until they are deleted', () => {
  const plans = new FedInformers().of(rebalancePlan)
  const told: [number, number][] = []
  followPredictions(plans, { predictions: (exact, missed) => told.push([exact, missed]) })
  plans.put(planned('a', undefined, 0, 1))
  expect(told).toEqual([])
  plans.put(planned('a', '2026-11-21T09:10:00Z', 0, 1))
  plans.put(planned('a', '2026-11-21T09:10:00Z', 0, 1))
  plans.put(planned('b', '2026-11-21T09:20:00Z', 0, 0))
  expect(told.at(-1)).toEqual([3, 1])
  plans.remove(planned('a', undefined))
  expect(told.at(-1)).toEqual([2, 0])
})
