import { aggregated, workload } from './scenarios/members'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'

test('the page of a workload explains why a cluster was not chosen', async ({ kubectl, fleet, page }) => {
  await startMembers(kubectl, 'member1', ['member2', { nodes: 1, cpu: 2 }], 'member3')
  await kubectl.run([
    'patch',
    'cluster',
    'member3',
    '--type=merge',
    '-p',
    '{"spec":{"taints":[{"key":"maintenance","value":"yes","effect":"NoSchedule"}]}}',
  ])
  await kubectl.apply(workload({ name: 'search', replicas: 5, cpu: '1', placement: aggregated }))

  await fleet.open()
  await fleet.expectDistribution('search', { member1: 5 })
  await fleet.row('search').getByRole('link', { name: 'search', exact: true }).click()
  await page.getByRole('tab', { name: /why/i }).click()
  const why = page.getByRole('tabpanel')
  await expect(why.getByRole('row', { name: /member3/ })).toContainText('maintenance=yes:NoSchedule')
  await expect(why.getByRole('row', { name: /member1/ })).toContainText('5')
  await expect(why.getByRole('row', { name: /member2/ })).toBeVisible()

  await page.reload()
  await expect(page.getByRole('tabpanel').getByRole('row', { name: /member3/ })).toContainText(
    'maintenance=yes:NoSchedule',
  )
})
