/** Copied kubectl commands of the console, run by a shell without a configured cluster. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { say } from './support/say'

const WAIT = { timeout: 60_000 }

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

/** Copies the command of a block with its button. */
async function copied(page: Page, block: Locator, label: string): Promise<string> {
  const command = block.getByRole('region', { name: label, exact: true })
  await expect(command).toContainText('--kubeconfig', WAIT)
  await block.getByRole('button', { name: say()('common.copy', { what: label }), exact: true }).click()
  await expect(block.getByRole('button', { name: say()('common.copied') })).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Runs it where no other kubeconfig is found. */
const runInShell = (command: string) =>
  promisify(execFile)('sh', ['-euc', command], {
    env: { ...process.env, KUBECONFIG: '', HOME: '/nonexistent' },
    cwd: '/',
  })

test('copied commands name the kubeconfig of this instance, and have the described effect', async ({
  product,
  kubectl,
  page,
  fleet,
}) => {
  const text = say()
  const run = async (block: Locator, label: string): Promise<void> => {
    const command = await copied(page, block, label)
    expect(command).toContain(`kubectl --kubeconfig ${product.kubeconfig} `)
    expect(command.match(/\bkubectl /g)).toHaveLength(command.match(/--kubeconfig /g)!.length)
    await runInShell(command)
  }
  const main = page.getByRole('main')

  await test.step('the first member, the first workload and the first queue', async () => {
    await page.goto(`${product.url}/clusters`)
    await run(main, text('clusters.addCommand'))
    await expect(page.getByTestId('cluster-row')).toHaveCount(1, WAIT)
    await fleet.open()
    await run(main, text('fleet.exampleLabel'))
    await expect(fleet.row('hello')).toContainText('6 of 6 ready', WAIT)
    await page.goto(`${product.url}/queues`)
    await run(main, text('queues.action.kubectlLabel'))
    await expect(page.getByTestId('queue-row')).toContainText('team-a', WAIT)
  })

  await test.step('a rebalance in waves, from its preview', async () => {
    await fleet.open()
    await fleet.select('hello')
    const drawer = await fleet.preview('waves')
    await drawer.getByText(text('plan.drawer.withKubectl'), { exact: true }).click()
    await run(drawer, text('plan.drawer.kubectl'))
    const plans = async () => (await kubectl.json<{ items: unknown[] }>(['get', 'rebalanceplans'])).items.length
    await expect.poll(plans, WAIT).toBe(1)
  })

  await test.step('the outage of a cluster, and a drain', async () => {
    const [name = ''] = (await kubectl.run(['get', 'clusters', '-o', 'jsonpath={.items[*].metadata.name}'])).split(' ')
    await page.goto(`${product.url}/failover?action=drain&in=${name}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByText(text('failover.withKubectl'), { exact: true }).click()
    await run(drawer, text('failover.command'))
    expect(await kubectl.run(['get', 'cluster', name, '-o', 'jsonpath={.spec.taints}'])).toContain(
      'evenkeel.io/drained',
    )
    await page.goto(`${product.url}/clusters?cluster=${name}`)
    const simulation = page.getByTestId('simulation')
    await run(simulation, text('clusters.kubectl.label', { title: text('clusters.kubectl.down') }))
    await waitForCluster(kubectl, name, false)
  })
})
