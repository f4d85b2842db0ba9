import { expectPlaced, waitForCluster } from './support/binding'
import { dynamicWeight, workload } from './scenarios/members'
import { CORE, expect, test } from './support/fixtures'
import { startMembers } from './support/members'

test(
  'replicas evicted from a failed cluster return when the operator rebalances after its recovery',
  { tag: CORE },
  async ({ kubectl, fleet }) => {
    await startMembers(kubectl, 'member1', 'member2')
    await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))

    await fleet.open()
    await fleet.expectDistribution('web', { member1: 2, member2: 2 })
    await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })

    await kubectl.takeDown('member1')
    await waitForCluster(kubectl, 'member1', false)
    await expectPlaced(kubectl, 'web', { member2: 4 })
    await expect(fleet.row('web').locator('[data-cluster=member2]')).toHaveAttribute('data-ready', '4', {
      timeout: 60_000,
    })

    await kubectl.bringBack('member1')
    await waitForCluster(kubectl, 'member1', true)
    await fleet.expectDistribution('web', { member2: 4 })

    await fleet.select('web')
    const plan = await fleet.preview()
    await expect(plan).toContainText('member1')
    await expect(plan).toContainText('+2')
    await expect(plan).toContainText('−2')
    await fleet.apply()
    await fleet.expectHealthyAfterMoving('web', 2)
    await fleet.open()
    await fleet.expectDistribution('web', { member1: 2, member2: 2 })
    await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  },
)
