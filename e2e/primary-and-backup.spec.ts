import { expectPlaced, waitForCluster } from './support/binding'
import { primaryThenBackup, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'

test('replicas return from the backup cluster to the primary when the operator rebalances after its recovery', async ({
  kubectl,
  fleet,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(workload({ name: 'ledger', replicas: 3, placement: primaryThenBackup }))

  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })

  await kubectl.takeDown('member1')
  await expectPlaced(kubectl, 'ledger', { member2: 3 })

  await kubectl.bringBack('member1')
  await waitForCluster(kubectl, 'member1', true)
  await fleet.expectDistribution('ledger', { member2: 3 })

  await fleet.select('ledger')
  const plan = await fleet.preview()
  await expect(plan).toContainText('+3')
  await fleet.apply()
  await fleet.expectHealthyAfterMoving('ledger', 3)

  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })
  await expectPlaced(kubectl, 'ledger', { member1: 3 })
})
