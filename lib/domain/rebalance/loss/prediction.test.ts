import { describe, expect, test } from 'vitest'
import { byAvailableReplicas } from '@/lib/testing/builders'
import type { Binding } from '../../placement'
import { aBinding, aCluster } from '../../placement/testing/scheduled'
import { predictionOf, type LossPrediction, LossSimulation, checkPrediction } from './index'

const now = Date.parse('2026-01-02T00:00:00Z')
const web = aBinding('web', { a: 2, b: 1 }, { placement: byAvailableReplicas() })

function predict(binding: Binding, lost: readonly string[]): LossPrediction {
  const clusters = [aCluster('a'), aCluster('b', 4), aCluster('c', 40)]
  const steps = new LossSimulation({ bindings: [binding], clusters, now }).predict(lost)
  for (;;) {
    const step = steps.next()
    if (step.done) return predictionOf(step.value[0]!, lost)
  }
}

const prediction: LossPrediction = {
  ...predict(web, ['a']),
  fate: 'moves',
  predicted: [
    { name: 'b', replicas: 1 },
    { name: 'c', replicas: 2 },
  ],
  evictedAfterMs: 30_000,
}

/** As the scheduler has left it. */
function placed(clusters: Record<string, number>, change: Partial<Binding['spec']> = {}): Binding {
  const targets = Object.entries(clusters).map(([name, replicas]) => ({ name, replicas }))
  return {
    ...web,
    metadata: { ...web.metadata, generation: 3 },
    spec: { ...web.spec, clusters: targets, ...change },
    status: { ...web.status, schedulerObservedGeneration: 3 },
  }
}

const unseen = (binding: Binding): Binding => ({
  ...binding,
  status: { ...binding.status, schedulerObservedGeneration: 2 },
})

test('the prediction is the result of the simulated loss', () => {
  const { fate, before, predicted, lost } = predict(web, ['a'])
  expect({ fate, before, lost }).toEqual({
    fate: 'moves',
    before: [
      { name: 'a', replicas: 2 },
      { name: 'b', replicas: 1 },
    ],
    lost: ['a'],
  })
  expect(predicted.every(({ name }) => name !== 'a')).toBe(true)
  expect(predicted.reduce((sum, { replicas = 0 }) => sum + replicas, 0)).toBe(3)
})

describe('a prediction, compared with what became of the workload', () => {
  test.each([
    ['is exact where it runs as predicted', placed({ c: 2, b: 1 }), false, 'exact', 0],
    ['is missed by replicas in other clusters', placed({ b: 2, c: 1 }), false, 'elsewhere', 1],
    ['is missed by replicas without a place', placed({ b: 1 }), false, 'worse', 2],
    ['is missed by a workload that stops', placed({}), false, 'worse', 3],
    ['is not judged when the replicas changed', placed({ b: 1, c: 4 }, { replicas: 5 }), false, 'changed', undefined],
    ['is not judged when the placement changed', placed({ b: 3 }, { placement: {} }), false, 'changed', undefined],
    ['is not judged when the workload was deleted', undefined, false, 'deleted', undefined],
    ['is not judged when the cluster was back in time', placed({ a: 2, b: 1 }), true, 'notEvicted', undefined],
    ['is open until it leaves', placed({ a: 2, b: 1 }), false, undefined, undefined],
    ['is open until the scheduler has seen it', unseen(placed({ b: 1 })), false, undefined, undefined],
    ['is open until the scheduler has seen it, also afterwards', unseen(placed({ b: 1 })), true, undefined, undefined],
  ] as const)('%s', (...[, binding, isOver, result, error]) => {
    const check = checkPrediction(prediction, { binding, elapsedMs: 40_000, isOver })
    expect([check?.result, check?.actual?.error]).toEqual([result, error])
  })

  test('is missed when an eviction that was long due never came', () => {
    const facts = { binding: placed({ a: 2, b: 1 }), elapsedMs: 600_000, isOver: true }
    expect(checkPrediction(prediction, facts)?.result).toBe('worse')
  })

  test('is exact when no eviction was predicted, and none happened', () => {
    const { evictedAfterMs: _never, ...stays } = { ...prediction, predicted: prediction.before }
    const facts = { binding: placed({ a: 2, b: 1 }), elapsedMs: 40_000 }
    expect(checkPrediction(stays, { ...facts, isOver: true })?.result).toBe('exact')
    expect(checkPrediction(stays, { ...facts, isOver: false })).toBeUndefined()
  })

  test('is better when a replica has a place that was to have none', () => {
    const short = { ...prediction, predicted: [{ name: 'b', replicas: 1 }] }
    const check = checkPrediction(short, { binding: placed({ b: 1, c: 1 }), elapsedMs: 0, isOver: false })
    expect(check).toMatchObject({ result: 'better', actual: { fate: 'fewer', error: 1 } })
  })

  test('counts an object without replicas in another cluster', () => {
    const settings = { ...placed({}), spec: { ...web.spec, replicas: 0, clusters: [{ name: 'c' }] } }
    const copy: LossPrediction = {
      ...predict({ ...settings, spec: { ...settings.spec, clusters: [{ name: 'a' }] } }, ['a']),
      predicted: [{ name: 'b' }],
    }
    expect(checkPrediction(copy, { binding: settings, elapsedMs: 0, isOver: false })).toMatchObject({
      result: 'elsewhere',
      actual: { error: 1 },
    })
  })
})
