/** The Resilience page: its prediction for the loss of two clusters matches the outage. */
import { expectPlaced, scheduledTo, waitForCluster } from './support/binding'
import { dynamicWeight, workload } from './scenarios/members'
import { obstacles } from './support/obstacles'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }
const REPLICAS = { web: 6, duo: 2, pinned: 2 }
const only = (...clusters: string[]) =>
  `{ clusterAffinity: { clusterNames: [${clusters}] }, ${dynamicWeight.slice(1, -1)} }`

test('simulates each loss with the decisions of the scheduler, and the loss of a pair happens so', async ({
  kubectl,
  page,
  product,
}) => {
  test.slow()
  await startMembers(kubectl, 'member1', 'member2', 'member3')
  for (const name of ['member1', 'member2'])
    await kubectl.run(['patch', 'cluster', name, '--type=merge', '-p', '{"spec":{"region":"west"}}'])
  await kubectl.apply(
    [
      workload({ name: 'web', replicas: REPLICAS.web, placement: dynamicWeight }),
      workload({ name: 'duo', replicas: REPLICAS.duo, placement: only('member1', 'member2') }),
      workload({ name: 'pinned', replicas: REPLICAS.pinned, placement: only('member1') }),
    ].join(''),
  )
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2, member3: 2 })
  await expectPlaced(kubectl, 'duo', { member1: 1, member2: 1 })
  await expectPlaced(kubectl, 'pinned', { member1: 2 })

  const headline = page.getByTestId('resilience-headline')
  const card = page.getByTestId('loss-card')
  const verdict = (kind: string) => page.locator(`[data-verdict=${kind}]`)
  const column = (name: string) => scheduledTo(kubectl, `${name}-deployment`)

  await test.step('shows which losses have an effect', async () => {
    await page.goto(`${product.url}/clusters/what-if`)
    await expect(headline).toHaveAttribute('data-state', 'fail', WAIT)
    await expect(verdict('cluster')).toHaveAttribute('data-survived', '2')
    await expect(verdict('cluster')).toHaveAttribute('data-losses', '3')
    await expect(verdict('region')).toHaveAttribute('data-survived', '0')
    await expect(verdict('pairs')).toHaveAttribute('data-losses', '3')
    // member1 and member2 lose duo and pinned; each pair with member1 loses pinned.
    await expect(verdict('pairs')).toHaveAttribute('data-survived', '1')
    await expect(page.getByTestId('resilience-score')).toHaveAttribute('data-score', /^\d+$/)
  })

  await test.step('leads through the cells by keyboard, and shows one in a card', async () => {
    const cell = page.getByTestId('pair-cell')
    await cell.focus()
    await expect(cell).toHaveAccessibleName(say()('resilience.cell.cluster', { cluster: 'member3', n: 0 }))
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await expect(cell).toBeFocused()
    await expect(cell).toHaveAccessibleName(say()('resilience.cell.pair', { clusters: ['member2', 'member1'], n: 2 }))
    await page.keyboard.press('Enter')
    await expect(card).toHaveAttribute('data-losing', '2', WAIT)
    await expect(page).toHaveURL(/loss=member2,member1/)
  })

  await test.step('counts the replicas that kubectl lists in these clusters', async () => {
    const inPair = await Promise.all(
      Object.keys(REPLICAS).map(async (name) => {
        const { member1 = 0, member2 = 0 } = await column(name)
        return member1 + member2
      }),
    )
    const needed = inPair.reduce((sum, replicas) => sum + replicas, 0)
    await expect(card).toHaveAttribute('data-needed', String(needed))
    await expect(card).toHaveAttribute('data-placed', String(needed - REPLICAS.duo - REPLICAS.pinned))
  })

  await test.step('shows the same as a table, regions as a list, and is accessible', async () => {
    expect(await obstacles(page)).toEqual([])
    await page.getByRole('button', { name: say()('resilience.view.table'), exact: true }).click()
    await expect(page.locator('[data-clusters="member2,member1"]')).toHaveAttribute('data-losing', '2')
    expect(await obstacles(page)).toEqual([])
    await page.goto(`${product.url}/clusters/what-if?by=regions&loss=west`)
    await expect(page.locator('[data-place=west]')).toHaveAttribute('data-losing', '2', WAIT)
    await expect(card).toHaveAttribute('data-losing', '2')
    expect(await obstacles(page)).toEqual([])
  })

  await test.step('offers the change that helps most, and opens the placement lab with it', async () => {
    await page.goto(`${product.url}/clusters/what-if`)
    const fixes = page.getByTestId('fix')
    // Another cluster outside the region: pinned survives the loss of member1 and of the region, duo that of the region.
    await expect(fixes.nth(0)).toHaveAttribute('data-survived', '2', WAIT)
    await expect(fixes.nth(0)).toContainText('pinned')
    await expect(fixes.nth(0)).toContainText('member3')
    await expect(fixes.nth(1)).toHaveAttribute('data-survived', '1')
    await fixes.nth(0).getByRole('link').click()
    await expect(page.getByTestId('placement-lab')).toHaveAttribute('data-changed', 'true', WAIT)
    await expect(page.getByTestId('lab-headline')).toHaveAttribute('data-moved', /\d/, WAIT)
    await page.goto(`${product.url}/clusters/what-if?by=regions&loss=west`)
  })

  await test.step('opens the what-if of exactly these clusters', async () => {
    await card.getByRole('link', { name: say()('resilience.card.whatIf') }).click()
    await expect(page.locator('[data-outcome=stuck][data-count]')).toHaveAttribute('data-count', '2', WAIT)
    await expect(page.getByTestId('also-lost')).toHaveCount(1)
  })

  await test.step('and it happens', async () => {
    await kubectl.takeDown('member1')
    await kubectl.takeDown('member2')
    await expectPlaced(kubectl, 'web', { member3: REPLICAS.web })
    for (const name of ['duo', 'pinned']) await expect.poll(() => column(name), WAIT).toEqual({})
    await waitForCluster(kubectl, 'member1', false)
    await page.goto(`${product.url}/clusters/what-if`)
    await expect(verdict('cluster')).toHaveAttribute('data-losses', '1', WAIT)
  })
})
