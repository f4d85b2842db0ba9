import { expectPlaced } from './support/binding'
import { aggregated, workload } from './scenarios/members'
import { test } from './support/fixtures'
import { startMembers } from './support/members'

test('an aggregated workload that was split for lack of capacity is joined when one cluster can hold it', async ({
  kubectl,
  fleet,
}) => {
  await startMembers(kubectl, ['member1', { nodes: 1, cpu: 4 }], ['member2', { nodes: 1, cpu: 2 }])
  await kubectl.apply(workload({ name: 'search', replicas: 6, cpu: '1', placement: aggregated }))

  await fleet.open()
  await fleet.expectDistribution('search', { member1: 4, member2: 2 })
  await expectPlaced(kubectl, 'search', { member1: 4, member2: 2 })

  await kubectl.run(['annotate', 'cluster', 'member1', 'sim.evenkeel.io/nodes=3', '--overwrite'])
  await kubectl.run(['wait', 'cluster/member1', '--for=jsonpath={.status.nodeSummary.totalNum}=3', '--timeout=60s'])
  await fleet.expectDistribution('search', { member1: 4, member2: 2 })

  await fleet.select('search')
  await fleet.preview()
  await fleet.apply()
  await fleet.expectHealthyAfterMoving('search', 2)

  await fleet.open()
  await fleet.expectDistribution('search', { member1: 6 })
  await expectPlaced(kubectl, 'search', { member1: 6 })
})
