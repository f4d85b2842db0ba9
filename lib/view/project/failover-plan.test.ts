import { expect, test } from 'vitest'
import { planClusterAct } from './failover-plan'
import { sampleBinding, sampleCluster } from './testing/samples'

const roomy = {
  apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }],
  resourceSummary: { allocatable: { cpu: '100', memory: '400Gi', pods: '1000' } },
}
const clusters = ['m1', 'm2'].map((name) =>
  sampleCluster(name, { status: { ...sampleCluster(name).status, ...roomy } }))
const bindings = ['web', 'api', 'foreign'].map((name) => sampleBinding({ name, clusters: { m1: 2 } }))

function drain(sees?: (workload: string) => boolean) {
  const [m1] = clusters
  if (m1 === undefined) throw new Error('there is no cluster to drain')
  const world = { clusters, bindings, now: Date.parse('2026-11-21T09:30:00Z'), sees }
  const plan = planClusterAct({ act: 'drain', cluster: 'm1' }, m1, world)
  if ('refused' in plan) throw new Error(plan.refused)
  return { effects: plan.effects, warnings: plan.warnings }
}

const CLOSED = 'm1 takes nothing new.'
const PARTLY = 'Only workloads that you may see are counted here; others may have to leave, too.'

test('a drain counts all that leaves for who sees all', () => {
  expect(drain()).toEqual({ effects: [CLOSED, '3 workloads would move to other clusters.'], warnings: [] })
})

test('a drain counts for a tenant what they see, says so, and tells nothing of the others', () => {
  expect(drain((id) => !id.endsWith('/foreign'))).toEqual({
    effects: [CLOSED, '2 workloads would move to other clusters.'], warnings: [PARTLY],
  })
  expect(drain(() => false)).toEqual({
    effects: [CLOSED, 'No workload that you may see is there to leave it.'], warnings: [PARTLY],
  })
})
