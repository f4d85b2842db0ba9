import { expectPlaced, waitForCluster } from './support/binding'
import { dynamicWeight, workload } from './scenarios/members'
import { PlanPage } from './pages/plan'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { obstacles } from './support/obstacles'
import { say } from './support/say'

test('a cluster that is well again is suggested with numbers, and one click leads to the preview of the return', async ({
  kubectl,
  page,
  product,
  fleet,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  for (const name of ['api', 'web']) await kubectl.apply(workload({ name, replicas: 4, placement: dynamicWeight }))
  for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member1: 2, member2: 2 })
  await kubectl.takeDown('member1')
  for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member2: 4 })
  await fleet.open()
  await kubectl.bringBack('member1')
  await waitForCluster(kubectl, 'member1', true)

  await page.goto(`${product.url}/rebalancers`)
  const suggestion = page.getByTestId('failback').and(page.locator('[data-cluster="member1"]'))
  await expect(suggestion).toHaveAttribute('data-returning', '2', { timeout: 60_000 })
  await expect(suggestion).toContainText(say()('rebalance.failback.counts', { left: 2, returning: 2 }))
  await expect(suggestion).toHaveAttribute('data-stable', 'false')
  await suggestion.getByRole('button', { name: say()('rebalance.newPlan.preview') }).click()
  const plan = new PlanPage(page)
  await plan.expectPhase('AwaitingApproval')
  for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member2: 4 })
  await plan.act('approve')
  await plan.expectCalmRun('api', 'web')
  await page.goto(`${product.url}/rebalancers`)
  await expect(page.getByTestId('plan-row')).toHaveCount(1)
  await expect(suggestion).toBeHidden()
})

test('what would happen without a cluster is answered by the scheduler itself, and happens so', async ({
  kubectl,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
  await kubectl.apply(
    workload({ name: 'pinned', replicas: 2, placement: '{ clusterAffinity: { clusterNames: [member1] } }' }),
  )
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  await expectPlaced(kubectl, 'pinned', { member1: 2 })

  await page.goto(`${product.url}/clusters?cluster=member1`)
  await page.getByRole('link', { name: say()('clusters.whatIfFails') }).click()
  const outcome = (name: string) =>
    page.getByTestId('what-if-target').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(outcome('pinned')).toHaveAttribute('data-outcome', 'stuck')
  await expect(outcome('web')).toHaveAttribute('data-outcome', 'moves')
  await expect(outcome('web').locator('[data-cluster="member2"]')).toHaveAttribute('data-after', '4')
  await expect(page.locator('[data-outcome="stuck"][data-count]')).toHaveAttribute('data-count', '1')

  // Assumptions: no capacity in the other cluster, and then more replicas.
  const address = page.url()
  await page.getByRole('combobox', { name: say()('whatIf.premise.share') }).selectOption('0')
  await page.getByRole('combobox', { name: say()('whatIf.premise.ofCluster') }).selectOption('member2')
  await expect(outcome('web')).toHaveAttribute('data-outcome', 'shrinks')
  await page.getByTestId('premise-chip').click()
  await expect(outcome('web')).toHaveAttribute('data-outcome', 'moves')
  await page.getByRole('combobox', { name: say()('whatIf.premise.replicasOf') }).selectOption({ label: 'default/web' })
  await page.getByRole('textbox', { name: say()('whatIf.premise.wanted') }).fill('6')
  await page.getByRole('button', { name: say()('whatIf.premise.apply') }).click()
  await expect(outcome('web').locator('[data-cluster="member2"]')).toHaveAttribute('data-after', '6')
  await expect(page.getByTestId('rescaled')).toHaveAttribute('data-wanted', '6')
  await page.getByTestId('premise-chip').click()
  await page.getByRole('textbox', { name: say()('whatIf.premise.newCluster') }).fill('member9')
  await page.getByRole('combobox', { name: say()('whatIf.premise.like') }).selectOption('member2')
  await page.getByRole('button', { name: say()('whatIf.premise.add') }).click()
  await expect(page.getByTestId('premise-chip')).toContainText('member9')
  const inNew = page.locator('[data-testid=cluster-load][data-cluster=member9]')
  await expect(inNew).toBeVisible()
  await page.getByRole('combobox', { name: say()('whatIf.premise.policy'), exact: true }).selectOption('default/web')
  await page.getByRole('combobox', { name: say()('whatIf.premise.edit'), exact: true }).selectOption('exclude')
  await page.getByTestId('policy-cluster').getByRole('combobox').selectOption('member9')
  await expect(inNew).toBeHidden()
  await expect(outcome('web').locator('[data-cluster="member2"]')).toHaveAttribute('data-after', '4')
  await page.getByTestId('premise-chip').first().click()
  await expect(page.getByTestId('premise-chip')).toHaveCount(1)
  await page.getByTestId('premise-chip').click()
  await expect(page.locator('[data-testid=cluster-load][data-cluster=member2]')).toBeVisible()
  expect(await obstacles(page)).toEqual([])

  // The whole placement, as YAML: an invalid one is reported, and nothing is stored.
  await page.getByRole('combobox', { name: say()('whatIf.premise.edit'), exact: true }).selectOption('placement')
  const yaml = page.getByRole('textbox', { name: say()('whatIf.premise.placement', { policy: 'default/web' }) })
  const use = page.getByRole('button', { name: say()('whatIf.premise.placementApply') })
  await expect(yaml).toHaveValue(/replicaScheduling/)
  await yaml.fill('clusterAffinity: { clusterName: [member1] }')
  await expect(page.getByTestId('placement-editor').getByRole('alert')).toContainText('clusterAffinity.clusterName')
  await expect(use).toBeDisabled()
  await yaml.fill('clusterAffinity: { clusterNames: [member1] }')
  await use.click()
  await expect(page.getByTestId('premise-chip')).toContainText('default/web')
  await expect(outcome('web')).toHaveAttribute('data-outcome', 'stuck')
  expect(await obstacles(page)).toEqual([])
  await page.reload()
  await expect(outcome('web')).toHaveAttribute('data-outcome', 'stuck')
  await page.goto(address)
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })

  await kubectl.takeDown('member1')
  await expectPlaced(kubectl, 'web', { member2: 4 })
})
