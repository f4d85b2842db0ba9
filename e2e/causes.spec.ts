import type { Locator, Page } from '@playwright/test'
import { FailoverPage } from './pages/failover'
import { PlanPage } from './pages/plan'
import { failingOver } from './scenarios/failover'
import { aggregated, dynamicWeight, workload } from './scenarios/members'
import { expectPlaced, scheduledTo } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { say } from './support/say'
import type { Kubectl } from './support/kubectl'

const WEB = '/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fweb'
const WAIT = { timeout: 60_000 }

/** The latest change of the distribution on the page of the workload. */
const latestMove = (page: Page): Locator => page.getByTestId('timeline-move').first()

async function expectCause(
  page: Page,
  { code, words, move }: { code: string; words: string | RegExp; move: string },
): Promise<void> {
  const latest = latestMove(page)
  await expect(latest).toContainText(move, WAIT)
  await expect(latest).toHaveAttribute('data-trigger', code)
  await expect(latest).toContainText(words)
}

const patchPolicy = (kubectl: Kubectl, spec: object) =>
  kubectl.run(['patch', 'propagationpolicy', 'web', '--type=merge', '-p', JSON.stringify({ spec })])

const podsIn = async (kubectl: Kubectl, cluster: string, app: string) =>
  (await kubectl.memberPods(cluster, 'default', app)).length

test('every move is recorded with what made it: scale, policy, plan, undo, drain, lost cluster', async ({
  kubectl,
  page,
  product,
}) => {
  test.slow()
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(workload({ name: 'web', replicas: 2, placement: dynamicWeight }))
  await expectPlaced(kubectl, 'web', { member1: 1, member2: 1 })
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, { code: 'first placement', words: 'first placement', move: 'member1 0 → 1' })

  await kubectl.run(['scale', 'deployment', 'web', '--replicas=4'])
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  await expectCause(page, { code: 'scale', words: 'scale', move: 'member1 1 → 2' })

  await patchPolicy(kubectl, { placement: { clusterAffinity: { clusterNames: ['member1'] } } })
  await expectPlaced(kubectl, 'web', { member1: 4 })
  await expectCause(page, { code: 'policy change', words: 'policy change: default/web', move: 'member2 2 → 0' })
  await patchPolicy(kubectl, { placement: { clusterAffinity: { clusterNames: ['member1', 'member2'] } } })
  const observed = async () =>
    kubectl.run([
      'get',
      'resourcebinding',
      'web-deployment',
      '-o',
      'jsonpath={.spec.placement.clusterAffinity.clusterNames}/{.metadata.generation}={.status.schedulerObservedGeneration}',
    ])
  await expect.poll(observed, WAIT).toMatch(/member2"\]\/(\d+)=\1$/)

  const plan = new PlanPage(page)
  await plan.create(product.url, 'ns=default&in=1,100%,0')
  await plan.expectPhase('AwaitingApproval')
  await plan.act('approve')
  await plan.expectCalmRun('web')
  const name = new URL(page.url()).searchParams.get('name') ?? ''
  await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  await plan.act('undo')
  await plan.expectPhase('AwaitingApproval')
  const undo = new URL(page.url()).searchParams.get('name') ?? ''
  await plan.act('approve')
  await plan.expectCalmRun('web')
  await expectPlaced(kubectl, 'web', { member1: 4 })
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, { code: 'undo', words: `undo ${undo}`, move: 'member2 2 → 0' })
  const ofPlan = page.getByTestId('timeline-move').nth(1)
  await expect(ofPlan).toHaveAttribute('data-trigger', 'plan wave')
  await expect(ofPlan).toContainText(`plan wave 1 of ${name}`)
  await page.goto(`${product.url}/activity`)
  await expect(page.getByTestId('activity-row').filter({ hasText: `Undo plan ${name}` })).toBeVisible(WAIT)
  await page.goto(`${product.url}/failover?show=history`)
  await expect(page.getByText(say()('failover.noneEnded'))).toBeVisible(WAIT)

  await page.goto(`${product.url}/failover?action=drain&in=member1`)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say()('failover.order.drain'), exact: true })
    .click()
  await expectPlaced(kubectl, 'web', { member2: 4 })
  const failover = new FailoverPage(page, product.url)
  await expect(await failover.past('member1')).toContainText('drain of member1')
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, { code: 'drain', words: 'drain of member1', move: 'member2 0 → 4' })
  await page.goto(`${product.url}/activity`)
  await expect(page.getByTestId('activity-row').filter({ hasText: 'Drain member1' })).toBeVisible(WAIT)

  await kubectl.run(['patch', 'cluster', 'member1', '--type=merge', '-p', '{"spec":{"taints":null}}'])
  await kubectl.takeDown('member2')
  await expect.poll(() => scheduledTo(kubectl, 'web-deployment'), WAIT).toEqual({ member1: 4 })
  await expect.poll(() => podsIn(kubectl, 'member1', 'web'), WAIT).toBe(4)
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, { code: 'cluster failover', words: 'cluster failover of member2', move: 'member1 0 → 4' })
  await expect(await failover.past('member2')).toContainText('cluster failover of member2')
})

test('an application failover is recorded as one, and a rebalance home as a rebalance', async ({
  kubectl,
  fleet,
  page,
  product,
}) => {
  await startMembers(kubectl, 'member1', 'member2')
  await kubectl.apply(failingOver({ name: 'web', purgeMode: 'Gracefully' }))
  await expectPlaced(kubectl, 'web', { member1: 2 })
  const health = async () =>
    kubectl.run(['get', 'resourcebinding', 'web-deployment', '-o', 'jsonpath={.status.aggregatedStatus[0].health}'])
  await expect.poll(health, WAIT).toBe('Healthy')
  await kubectl.run(['annotate', 'cluster', 'member1', 'sim.evenkeel.io/unhealthy=default/web', '--overwrite'])
  await expectPlaced(kubectl, 'web', { member2: 2 })
  const failover = new FailoverPage(page, product.url)
  await expect(await failover.past('member1')).toContainText('application failover in member1')
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, {
    code: 'application failover',
    words: 'application failover in member1',
    move: 'member2 0 → 2',
  })

  await kubectl.run(['annotate', 'cluster', 'member1', 'sim.evenkeel.io/unhealthy-'])
  // The failure keeps the workload out of member1 for a while, which an operator may end.
  await kubectl.run([
    'patch',
    'resourcebinding',
    'web-deployment',
    '--type=merge',
    '-p',
    '{"spec":{"activeEvictionHistory":null}}',
  ])
  await fleet.open()
  await fleet.select('web')
  const preview = await fleet.preview()
  await expect(preview).toContainText(say()('rebalance.rule.firstGroup', { group: 'primary' }))
  await expect(preview).toContainText(say()('plan.losses.stopped', { n: 1, workloads: 'default/web' }))
  await expect(preview.getByTestId('plan-loss')).toContainText(say()('plan.losses.ready', { ready: 2 }))
  await expect(preview.getByRole('button', { name: say()('plan.losses.stop.rebalance', { n: 1 }) })).toBeEnabled()

  // A plan in waves that deletes old replicas first shows the same before its approval.
  await new PlanPage(page).create(product.url, 'ns=default&in=1,0%,0,quick')
  await expect(page.getByTestId('plan-loss')).toContainText(
    `default/web ${say()('plan.losses.ready', { ready: 2 })}`,
    WAIT,
  )
  await expect(page.getByRole('button', { name: say()('plan.losses.stop.approve', { n: 1 }) })).toBeEnabled()
  await new PlanPage(page).act('discard')
  await fleet.open()
  await fleet.select('web')
  await fleet.preview()
  await fleet.apply()
  const rebalancer = new URL(page.url()).searchParams.get('name') ?? ''
  await expectPlaced(kubectl, 'web', { member1: 2 })
  await page.goto(`${product.url}${WEB}`)
  await expectCause(page, { code: 'rebalance', words: `rebalance ${rebalancer}`, move: 'member1 0 → 2' })
})

test('a drain lists stopped and unplaced workloads, and then shows the reason', async ({ kubectl, page, product }) => {
  const groups =
    '{ clusterAffinities: [{ affinityName: primary, clusterNames: [member1] }, { affinityName: backup, clusterNames: [member2] }], replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated } }'
  await startMembers(kubectl, 'member1', ['member2', { nodes: 1, cpu: 2 }])
  await kubectl.apply(
    workload({
      name: 'filler',
      replicas: 1,
      cpu: '350m',
      placement: `{ clusterAffinity: { clusterNames: [member2] }, ${aggregated.slice(1)}`,
    }),
  )
  await expectPlaced(kubectl, 'filler', { member2: 1 })
  await kubectl.apply(workload({ name: 'api', replicas: 1, cpu: '1800m', placement: groups }))
  await kubectl.apply(workload({ name: 'web', replicas: 1, placement: groups }))
  await patchPolicy(kubectl, { failover: { cluster: { purgeMode: 'Directly' } } })
  for (const name of ['api', 'web']) await expectPlaced(kubectl, name, { member1: 1 })
  const ready = async (name: string) =>
    kubectl.run(['get', 'deployment', name, '-o', 'jsonpath={.status.readyReplicas}'])
  for (const name of ['api', 'web']) await expect.poll(() => ready(name), WAIT).toBe('1')
  const mode = async () =>
    kubectl.run(['get', 'resourcebinding', 'web-deployment', '-o', 'jsonpath={.spec.failover.cluster.purgeMode}'])
  await expect.poll(mode, WAIT).not.toBe('')

  await page.goto(`${product.url}/failover?action=drain&in=member1`)
  const dialog = page.getByRole('dialog')
  const loss = (name: string) =>
    dialog.locator(`[data-testid=plan-loss][data-workload="apps~v1/Deployment/default/${name}"]`)
  await expect(loss('web')).toContainText(say()('plan.losses.ready', { ready: 1 }), WAIT)
  await expect(loss('api')).toHaveAttribute('data-stops', 'false')
  await expect(dialog.getByTestId('plan-losses')).toContainText(
    say()('plan.losses.stopped', { n: 1, workloads: 'default/web' }),
  )
  await expect(dialog.getByTestId('plan-losses')).toContainText(
    say()('plan.losses.unplaced', { n: 1, workloads: 'default/api' }),
  )
  const drain = dialog.getByRole('button', { name: say()('plan.losses.stop.drain', { n: 1 }) })
  await expect(drain).toBeDisabled()
  await dialog.getByRole('checkbox', { name: say()('plan.losses.confirm', { workloads: 'default/api' }) }).click()
  await drain.click()

  await expect.poll(() => podsIn(kubectl, 'member1', 'web'), WAIT).toBe(0)
  await expectPlaced(kubectl, 'web', { member2: 1 })
  await expect.poll(() => scheduledTo(kubectl, 'api-deployment'), WAIT).toEqual({})
  expect(await podsIn(kubectl, 'member1', 'api')).toBe(1)
  const why = 'backup: 1.55 CPU free in member2, 1.8 CPU needed'
  const failover = new FailoverPage(page, product.url)
  await failover.open()
  await expect(failover.workload('api', 'member1')).toContainText(why, WAIT)
  await expect(page.locator('[data-testid=blocked-by][data-cluster=member1]')).toContainText(why, WAIT)
  await page.goto(`${product.url}/workloads/detail?id=apps~v1%2FDeployment%2Fdefault%2Fapi&tab=why`)
  await expect(page.getByText(why).first()).toBeVisible(WAIT)
})
