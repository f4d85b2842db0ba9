import { describe, expect, test } from 'vitest'
import { finishPass, isFinished } from './finish'
import { syncStatus } from './sync-status'

const workload = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name })
const now = Date.parse('2026-01-01T00:00:10Z')

describe('a reconcile', () => {
  test('a second reconcile of a finished rebalancer writes nothing', () => {
    const rebalancer = { metadata: { generation: 1 }, spec: { workloads: [workload('a')] } }
    const after = { ...syncStatus(rebalancer), observedWorkloads: [{ workload: workload('a'), result: 'Successful' }] }
    const status = finishPass({ before: undefined, after, retries: 0, now })!
    expect(status.finishTime).toBe('2026-01-01T00:00:10Z')
    const again = syncStatus({ ...rebalancer, status })
    expect(finishPass({ before: status, after: again, retries: 0, now })).toBeUndefined()
  })

  test('it does not finish while an attempt must be repeated', () => {
    const after = { observedWorkloads: [{ workload: workload('a') }], observedGeneration: 1 }
    expect(finishPass({ before: undefined, after, retries: 1, now })?.finishTime).toBeUndefined()
  })

  test('names are compared as texts', () => {
    const { observedWorkloads } = syncStatus({ metadata: {}, spec: { workloads: ['demo-2', 'demo-10'].map(workload) } })
    expect(observedWorkloads?.map((one) => one.workload.name)).toEqual(['demo-10', 'demo-2'])
  })
})

describe('finished means every target has a result for the current generation', () => {
  const finishTime = '2026-01-01T00:00:00Z'
  const waiting = { workload: workload('b') }
  const successful = { workload: workload('a'), result: 'Successful' }
  test.each([
    ['all results are in', { finishTime, observedGeneration: 2, observedWorkloads: [successful] }, true],
    ['one has no result', { finishTime, observedGeneration: 2, observedWorkloads: [successful, waiting] }, false],
    ['a newer spec waits', { finishTime, observedGeneration: 1, observedWorkloads: [successful] }, false],
    ['nothing was observed', undefined, false],
  ])('%s', (_name, status, finished) => {
    expect(isFinished(status, 2)).toBe(finished)
  })
})
