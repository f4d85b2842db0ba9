import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { parse, stringify } from 'yaml'
import { freePort } from '@/server/testing/free-port'
import { startReadOnlyProxy } from '@/server/testing/read-only-proxy'
import { dynamicWeight, member, workload } from './scenarios/members'
import { expectPlaced } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { FleetPage } from './pages/fleet'
import { findingsInBoth } from './support/axe'
import { type Kubectl, kubectlFor } from './support/kubectl'
import { newDataDir, type Product, removeDataDir, startProduct } from './support/product'
import { say } from './support/say'

test.use({ flags: ['--no-demo', '--only=apiserver'] })

test('a console with only a kubeconfig works with an API server in another process', async ({
  product,
  kubectl,
  page,
}) => {
  const console = await startProduct({
    flags: [
      `--kubeconfig=${product.kubeconfig}`,
      '--reconcilers=all',
      '--cluster-status-update-frequency=1s',
      '--cluster-success-threshold=2s',
      '--cluster-failure-threshold=2s',
    ],
  })
  try {
    await startMembers(kubectl, 'member1', 'member2')
    await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
    const fleet = new FleetPage(page, console.url)
    await fleet.open()
    await fleet.expectDistribution('web', { member1: 2, member2: 2 })
    await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })

    await page.goto(`${console.url}/control-plane`)
    await expect(page.getByText('connected', { exact: false }).first()).toBeVisible()
    await expect(page.getByTestId('twin-banner')).toHaveCount(0)
    await expectTwin(page, product, kubectl)
  } finally {
    await console.stop()
    removeDataDir(console.dataDir)
  }
})

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }, ...unknown[]]
}

/** A twin has the placement of its source, is marked on every page, and keeps all changes to itself. */
async function expectTwin(page: Page, source: Product, kubectl: Kubectl): Promise<void> {
  const kubeconfig = parse(readFileSync(source.kubeconfig, 'utf8')) as Kubeconfig
  const [{ cluster }] = kubeconfig.clusters
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString('utf8')
  const proxy = await startReadOnlyProxy(cluster.server, ca)
  kubeconfig.clusters[0].cluster = { ...cluster, server: proxy.url }
  const file = join(source.dataDir, 'read-only-kubeconfig')
  writeFileSync(file, stringify(kubeconfig))
  const twin = await startProduct({ flags: [`--twin-of=${file}`] }).catch(async (error: unknown) => {
    await proxy.close()
    throw error
  })
  try {
    const own = kubectlFor(twin.kubeconfig)
    await expectPlaced(own, 'web', { member1: 2, member2: 2 })
    await page.goto(`${twin.url}/control-plane`)
    await expect(page.getByTestId('twin-banner')).toContainText('127.0.0.1')
    const report = page.getByTestId('twin-report')
    await expect(report).toHaveAttribute('data-workloads', '1')
    await expect(report).toHaveAttribute('data-kept', '1')
    expect(await findingsInBoth(page)).toEqual([])
    const fleet = new FleetPage(page, twin.url)
    await fleet.open()
    await fleet.expectDistribution('web', { member1: 2, member2: 2 })
    await expect(page.getByTestId('twin-banner')).toBeVisible()
    await own.run(['scale', 'deployment', 'web', '--replicas=6'])
    await expectPlaced(own, 'web', { member1: 3, member2: 3 })
    await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
    expect(proxy.reads).toBeGreaterThan(0)
    expect(proxy.refused).toEqual([])
  } finally {
    await twin.stop()
    await proxy.close()
    removeDataDir(twin.dataDir)
  }
}

test('a console whose API server stops shows the last known data, marked stale, and recovers automatically', async ({
  page,
}) => {
  const dataDir = newDataDir()
  const apiPort = await freePort()
  const startServer = () => startProduct({ dataDir, flags: ['--only=apiserver', '--no-demo', `--api-port=${apiPort}`] })
  const server = await startServer()
  const console = await startProduct({ flags: [`--kubeconfig=${server.kubeconfig}`] })
  try {
    await kubectlFor(server.kubeconfig).apply(member('member1'))
    await page.goto(`${console.url}/clusters`)
    await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
    await server.kill()
    await expect(page.getByText(/stale/i).first()).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
    const again = await startServer()
    await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Live', { timeout: 60_000 })
    await again.stop()
  } finally {
    await console.stop()
    removeDataDir(console.dataDir)
  }
})

test('a console whose API server hangs shows it, keeps its data, and continues when it responds again', async ({
  product,
  kubectl,
  page,
}) => {
  const console = await startProduct({ flags: [`--kubeconfig=${product.kubeconfig}`] })
  try {
    await kubectl.apply(member('member1'))
    await page.goto(`${console.url}/clusters`)
    await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
    process.kill(product.pid, 'SIGSTOP')
    await expect(page.getByTestId('stale-banner')).toContainText(say()('api.stale.silent'), { timeout: 60_000 })
    await expect(page.getByRole('link', { name: 'member1' }).first()).toBeVisible()
    process.kill(product.pid, 'SIGCONT')
    await expect(page.locator('[data-freshness]')).toHaveAttribute('data-freshness', 'Live', { timeout: 60_000 })
    await kubectl.apply(member('member2'))
    await expect(page.getByRole('link', { name: 'member2' }).first()).toBeVisible()
  } finally {
    process.kill(product.pid, 'SIGCONT')
    await console.stop()
    removeDataDir(console.dataDir)
  }
})

test('an action during a hanging API server reports its outcome, and a retry with its key runs it once', async ({
  product,
  kubectl,
}) => {
  const console = await startProduct({ flags: [`--kubeconfig=${product.kubeconfig}`, '--reconcilers=all'] })
  try {
    const plans = async () =>
      (await kubectl.json<{ items: { metadata: { name: string } }[] }>(['get', 'rebalanceplans'])).items
    await expect
      .poll(() => kubectl.tryRun(['get', 'rebalanceplans']).then(({ code }) => code), { timeout: 60_000 })
      .toBe(0)
    const rollout = {
      waveSize: 1,
      soakSeconds: 0,
      minReady: '100%',
      makeBeforeBreak: true,
      onRegression: 'Hold',
      allowFewerReplicas: false,
    }
    const body = JSON.stringify({ selection: { namespaces: ['default'] }, rollout })
    const postTo = (url: string, key: string) =>
      fetch(`${url}/api/v1/rebalance-plans`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url, 'idempotency-key': key },
        body,
      })
    const post = (key: string) =>
      postTo(console.url, key).then(async (response) => ({
        status: response.status,
        body: (await response.json()) as { changed?: string; name?: string },
      }))
    const before = await post('first-key')
    expect(before).toMatchObject({ status: 201 })

    process.kill(product.pid, 'SIGSTOP')
    const late = await post('late-key')
    process.kill(product.pid, 'SIGCONT')
    expect([503, 504]).toContain(late.status)
    expect(['nothing', 'unknown']).toContain(late.body.changed)
    // Pending requests arrive now; reported results must stay true.
    await expect.poll(async () => (await post('probe-key')).status, { timeout: 60_000 }).toBe(201)
    if (late.body.changed === 'nothing') expect(await plans()).toHaveLength(2)
    const again = await post('late-key')
    expect(again).toMatchObject({ status: 201 })
    expect(await post('late-key')).toEqual(again)
    expect(await plans()).toHaveLength(3)

    await console.kill()
    const restarted = await startProduct({ flags: [`--kubeconfig=${product.kubeconfig}`, '--reconcilers=all'] })
    try {
      const repeated = await postTo(restarted.url, 'late-key')
      expect([repeated.status, await repeated.json()]).toEqual([201, again.body])
      expect(await plans()).toHaveLength(3)
    } finally {
      await restarted.stop()
      removeDataDir(restarted.dataDir)
    }
  } finally {
    process.kill(product.pid, 'SIGCONT')
    await console.stop()
    removeDataDir(console.dataDir)
  }
})

test.describe('without a console', () => {
  test.use({ flags: ['--no-demo', '--only=apiserver', '--reconcilers=all'] })

  test('the control plane runs the controllers that are named', async ({ kubectl }) => {
    await startMembers(kubectl, 'member1', 'member2')
    await kubectl.apply(workload({ name: 'web', replicas: 4, placement: dynamicWeight }))
    await expectPlaced(kubectl, 'web', { member1: 2, member2: 2 })
  })
})
