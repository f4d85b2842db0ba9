import { describe, expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import type { FailoverView } from '@/lib/view/failover-model'
import { type MonitorQuery, monitorRows } from './monitor-model'

function failover(name: string, more: Partial<FailoverView> = {}): FailoverView {
  return {
    id: `failover ${name}`,
    kind: 'workload',
    cluster: 'm1',
    workload: name,
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name },
    cause: 'cluster',
    stage: 'evicting',
    state: { state: 'active', reason: '' },
    steps: [],
    kept: false,
    successors: [],
    actions: [],
    ...more,
  }
}

const lost = failover('m1', { id: 'cluster m1', kind: 'cluster' })
const all: MonitorQuery = { filter: '', stage: undefined, toggled: new Set() }
const entries = (...failovers: FailoverView[]) => failovers.map((each) => ({ id: each.id, failovers: [each] }))
const ids = (query: Partial<MonitorQuery>, ...failovers: FailoverView[]) =>
  monitorRows(english, entries(...failovers), { ...all, ...query }).map(
    ({ id, nested }) => `${nested ? '  ' : ''}${id}`,
  )

describe('the rows of the monitor', () => {
  test('put workloads under their cluster, and what fails by itself after', () => {
    expect(ids({}, failover('alone', { cause: 'application' }), lost, failover('web'))).toEqual([
      'cluster m1',
      '  failover web',
      'failover alone',
    ])
  })

  test('stay where they are whatever becomes of them', () => {
    const before = [failover('a'), failover('b', { state: { state: 'warn', reason: '' }, stage: 'toleration' })]
    const after = [
      failover('a', { state: { state: 'fail', reason: '' } }),
      failover('b', { kept: true, state: { state: 'held', reason: '' } }),
    ]
    expect(ids({}, lost, ...after)).toEqual(ids({}, lost, ...before))
  })

  test('collapse long groups and expand short ones by default', () => {
    const many = Array.from({ length: 13 }, (_, index) => failover(`w${index}`))
    expect(ids({}, lost, ...many)).toHaveLength(1)
    expect(ids({ toggled: new Set(['m1']) }, lost, ...many)).toHaveLength(14)
    expect(ids({ toggled: new Set(['m1']) }, lost, failover('web'))).toEqual(['cluster m1'])
  })

  test('keep what matches the filter, with the cluster that it stands under', () => {
    const failovers = [
      lost,
      failover('web'),
      failover('api', { purgeMode: 'Never', kept: true }),
      failover('alone', { cause: 'application', cluster: 'm2', stage: 'toleration' }),
    ]
    expect(ids({ filter: 'web' }, ...failovers)).toEqual(['cluster m1', '  failover web'])
    expect(ids({ filter: 'cluster=m2' }, ...failovers)).toEqual(['failover alone'])
    expect(ids({ filter: 'purge=never' }, ...failovers)).toEqual(['cluster m1', '  failover api'])
    expect(ids({ stage: 'toleration' }, ...failovers)).toEqual(['failover alone'])
    expect(ids({ stage: 'kept' }, ...failovers)).toEqual(['cluster m1', '  failover api'])
    expect(ids({ filter: 'nobody' }, ...failovers)).toEqual([])
  })
})
