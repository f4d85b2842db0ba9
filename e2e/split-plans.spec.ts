/** More workloads than one plan takes: the drawer offers several plans, and makes them one after the other. */
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { startProduct } from './support/product'
import { say } from './support/say'

// Nothing propagates the workloads: a thousand bindings are enough to select from.
test.use({ flags: ['--no-demo', '--only=apiserver'] })

const WAIT = { timeout: 60_000 }
const WORKLOADS = 1002
const AT_A_TIME = 167

const binding = (at: number): string => {
  const name = `app-${String(at).padStart(4, '0')}`
  return JSON.stringify({
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name: `${name}-deployment`, namespace: 'default' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name },
      replicas: 1,
      clusters: [{ name: 'member1', replicas: 1 }],
      placement: { clusterAffinity: { clusterNames: ['member1'] } },
    },
  })
}

interface Plan {
  spec: { workloads?: { name: string }[] }
}

test('more than a thousand selected workloads are split into plans that take all of them, each once', async ({
  product,
  kubectl,
  page,
}) => {
  const text = say()
  const console = await startProduct({
    flags: [`--kubeconfig=${product.kubeconfig}`, '--reconcilers=cluster-status,cluster,rebalance-plan'],
  })
  await startMembers(kubectl, 'member1')
  const all = Array.from({ length: WORKLOADS }, (_, at) => binding(at))
  const batches = Array.from({ length: WORKLOADS / AT_A_TIME }, (_, at) =>
    all.slice(at * AT_A_TIME, (at + 1) * AT_A_TIME).join('\n'),
  )
  await Promise.all(batches.map((batch) => kubectl.run(['create', '--validate=false', '-f', '-'], batch)))

  await page.goto(`${console.url}/fleet`)
  await expect(page.getByText(text('common.counted.workload', { n: WORKLOADS })).first()).toBeVisible(WAIT)
  await page.getByRole('checkbox', { name: text('fleet.selectAll') }).click()
  await page.getByRole('button', { name: text('fleet.rebalance'), exact: true }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText(text('plan.split.title', { targets: WORKLOADS }))
  await expect(drawer.getByTestId('apply-plan')).toHaveCount(0)

  await drawer.getByRole('button', { name: text('plan.split.button', { parts: 2 }) }).click()
  for (const part of [1, 2]) {
    await expect(drawer).toHaveAccessibleName(text('plan.drawer.partTitle', { n: WORKLOADS / 2, part, parts: 2 }))
    await drawer.getByTestId('apply-plan').click(WAIT)
  }
  await expect(page).toHaveURL(/\/rebalancers$/, WAIT)
  await expect(page.getByTestId('plan-row')).toHaveCount(2, WAIT)
  const { items } = await kubectl.json<{ items: Plan[] }>(['get', 'rebalanceplans'])
  const names = items.flatMap(({ spec }) => spec.workloads ?? []).map(({ name }) => name)
  expect([names.length, new Set(names).size]).toEqual([WORKLOADS, WORKLOADS])
  await console.stop()
})
