/** An outage on the Failover page: recovered workloads, the estimated rest, and the record afterwards. */
import type { Locator } from '@playwright/test'
import { FailoverPage } from './pages/failover'
import { primaryThenBackup, workload } from './scenarios/members'
import { waitForCluster } from './support/binding'
import { expect, test } from './support/fixtures'
import { startMembers } from './support/members'
import { startProduct } from './support/product'
import type { Kubectl } from './support/kubectl'

const WAIT = { timeout: 60_000 }
const WORKLOADS = 24

// Two evictions a second, so that the recovery lasts long enough to be estimated.
const flags = [
  '--no-demo',
  '--resource-eviction-rate=2',
  '--no-execute-after=1s',
  '--cluster-status-update-frequency=1s',
  '--cluster-success-threshold=2s',
  '--cluster-failure-threshold=2s',
]
test.use({ flags })

interface Binding {
  spec: { clusters?: { name: string }[] }
  status?: { aggregatedStatus?: { clusterName: string; status?: { readyReplicas?: number } }[] }
}

/** Workloads that kubectl shows ready in the other cluster. */
async function movedByKubectl(kubectl: Kubectl): Promise<number> {
  const { items } = await kubectl.json<{ items: Binding[] }>(['get', 'resourcebindings'])
  return items.filter(({ spec, status }) => {
    const ready = status?.aggregatedStatus?.find(({ clusterName }) => clusterName === 'member2')?.status?.readyReplicas
    return spec.clusters?.every(({ name }) => name === 'member2') && ready === 1
  }).length
}

interface Progress {
  recovered: number
  secondsLeft: number | undefined
}

/** The incident's row; undefined while it shows another state. */
async function progressIn(row: Locator): Promise<Progress | undefined> {
  const text = (await row.textContent()) ?? ''
  const [, recovered, minutes, seconds] =
    new RegExp(`(\\d+) of ${WORKLOADS} workloads recovered(?:, about (?:(\\d+) m ?)?(?:(\\d+) s)? left)?`).exec(text)
    ?? []
  if (recovered === undefined) return undefined
  const left = Number(minutes ?? 0) * 60 + Number(seconds ?? 0)
  return { recovered: Number(recovered), secondsLeft: left > 0 ? left : undefined }
}

test('an outage shows recovered workloads and the estimated rest, and stays readable after it and a restart', async ({
  product,
  kubectl,
  page,
}) => {
  const names = Array.from({ length: WORKLOADS }, (_, at) => `app-${at}`)
  await startMembers(kubectl, 'member1', 'member2', 'member3')
  await kubectl.apply(names.map((name) => workload({ name, replicas: 1, placement: primaryThenBackup })).join(''))
  const oneOfEach = Object.fromEntries(names.map((name) => [name, 1]))
  await expect.poll(() => kubectl.runningPods('member1'), WAIT).toEqual(oneOfEach)
  const failover = new FailoverPage(page, product.url)
  await failover.open()
  const row = failover.cluster('member1')

  await test.step('while it runs, the count rises, never ahead of kubectl, and the time left is estimated', async () => {
    await kubectl.takeDown('member1')
    const seen: Progress[] = []
    await expect(async () => {
      const shown = await progressIn(row)
      if (shown) {
        seen.push(shown)
        // Read after the page, so at least as far.
        expect(await movedByKubectl(kubectl)).toBeGreaterThanOrEqual(shown.recovered)
      }
      expect(shown?.recovered).toBe(WORKLOADS)
    }).toPass({ timeout: 90_000, intervals: [250] })
    const counts = seen.map(({ recovered }) => recovered)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size, JSON.stringify(counts)).toBeGreaterThan(4)
    const estimates = seen.filter(({ secondsLeft }) => secondsLeft !== undefined)
    expect(estimates.length, JSON.stringify(seen)).toBeGreaterThan(2)
    // At two evictions a second the rest takes at least half as many seconds.
    for (const { recovered, secondsLeft } of estimates)
      expect(secondsLeft! * 2, JSON.stringify(seen)).toBeGreaterThanOrEqual(WORKLOADS - recovered - 4)
    await expect(row).not.toContainText('left')
  })

  const expectKept = async (): Promise<void> => {
    await expect(row).toHaveAttribute('data-stage', 'done', WAIT)
    await expect(row).toContainText(`${WORKLOADS} of ${WORKLOADS} workloads recovered`, WAIT)
  }

  await test.step('after the cluster is back the incident stays, also past a crash of the console', async () => {
    await kubectl.bringBack('member1')
    await waitForCluster(kubectl, 'member1', true)
    await expectKept()
    await page.reload()
    await expectKept()
    await product.kill()
    const again = await startProduct({ dataDir: product.dataDir, flags })
    await new FailoverPage(page, again.url).open()
    await expectKept()
  })
})
