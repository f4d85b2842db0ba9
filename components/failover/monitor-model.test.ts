import { describe, expect, test } from 'vitest'
import type { FailoverStoryView } from '@/lib/view/failover-model'
import { type MonitorQuery, monitorRows } from './monitor-model'

function story(name: string, more: Partial<FailoverStoryView> = {}): FailoverStoryView {
  return {
    id: `story ${name}`, kind: 'workload', cluster: 'm1', workload: name, ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'demo', name },
    cause: 'cluster', stage: 'evicting', state: { state: 'active', reason: '' }, steps: [], kept: false, successors: [], acts: [], ...more,
  }
}

const lost = story('m1', { id: 'cluster m1', kind: 'cluster' })
const all: MonitorQuery = { filter: '', stage: undefined, toggled: new Set() }
const entries = (...stories: FailoverStoryView[]) => stories.map((each) => ({ id: each.id, stories: [each] }))
const ids = (query: Partial<MonitorQuery>, ...stories: FailoverStoryView[]) =>
  monitorRows(entries(...stories), { ...all, ...query }).map(({ id, nested }) => `${nested ? '  ' : ''}${id}`)

describe('the rows of the monitor', () => {
  test('put workloads under their cluster, and what fails by itself after', () => {
    expect(ids({}, story('alone', { cause: 'application' }), lost, story('web'))).toEqual(['cluster m1', '  story web', 'story alone'])
  })

  test('stay where they are whatever becomes of them', () => {
    const before = [story('a'), story('b', { state: { state: 'warn', reason: '' }, stage: 'toleration' })]
    const after = [story('a', { state: { state: 'fail', reason: '' } }), story('b', { kept: true, state: { state: 'held', reason: '' } })]
    expect(ids({}, lost, ...after)).toEqual(ids({}, lost, ...before))
  })

  test('close long groups until asked, and short ones when asked', () => {
    const many = Array.from({ length: 13 }, (_, index) => story(`w${index}`))
    expect(ids({}, lost, ...many)).toHaveLength(1)
    expect(ids({ toggled: new Set(['m1']) }, lost, ...many)).toHaveLength(14)
    expect(ids({ toggled: new Set(['m1']) }, lost, story('web'))).toEqual(['cluster m1'])
  })

  test('keep what matches the filter, with the cluster that it stands under', () => {
    const stories = [lost, story('web'), story('api', { purgeMode: 'Never', kept: true }), story('alone', { cause: 'application', cluster: 'm2', stage: 'toleration' })]
    expect(ids({ filter: 'web' }, ...stories)).toEqual(['cluster m1', '  story web'])
    expect(ids({ filter: 'cluster=m2' }, ...stories)).toEqual(['story alone'])
    expect(ids({ filter: 'purge=never' }, ...stories)).toEqual(['cluster m1', '  story api'])
    expect(ids({ stage: 'toleration' }, ...stories)).toEqual(['story alone'])
    expect(ids({ stage: 'kept' }, ...stories)).toEqual(['cluster m1', '  story api'])
    expect(ids({ filter: 'nobody' }, ...stories)).toEqual([])
  })
})
