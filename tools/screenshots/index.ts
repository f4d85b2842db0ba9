/**
 * `npm run screenshots [-- --locale=zh-CN --folder=/tmp/shots]`: takes the pictures of the README from the running product,
 * on the demonstration fleet, in English or another language.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { kubectlFor, type Kubectl } from '@/e2e/support/kubectl'
import { removeDataDir, startProduct } from '@/e2e/support/product'
import { FleetPage } from '@/e2e/pages/fleet'
import { PlanPage } from '@/e2e/pages/plan'
import { say, sayIn } from '@/e2e/support/say'
import { DEFAULT_LOCALE, isLocale, type Locale, LOCALES } from '@/lib/messages'
import { ensureBrowser, ensureKubectl } from '../test/programs'
import { ensureBuild } from '@/server/cli/build'

interface Pictures {
  locale: Locale
  /** Overwritten: `*.png` in it. Pictures of other languages than English stay out of the repository. */
  folder: string
}

function picturesOf(argv: readonly string[]): Pictures {
  const { locale = DEFAULT_LOCALE, folder } = parseArgs({
    args: [...argv],
    options: { locale: { type: 'string' }, folder: { type: 'string' } },
  }).values
  if (!isLocale(locale)) throw new Error(`--locale must be one of ${LOCALES.join(', ')}`)
  return { locale, folder: folder ?? (locale === DEFAULT_LOCALE ? 'public/screenshots' : `test-results/${locale}`) }
}

export async function main(argv: readonly string[]): Promise<number> {
  const { locale, folder } = picturesOf(argv)
  sayIn(locale)
  const executablePath = await ensureBrowser()
  await ensureKubectl()
  await ensureBuild()
  mkdirSync(folder, { recursive: true })
  const product = await startProduct()
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 860 },
      reducedMotion: 'reduce',
      colorScheme: 'light',
      locale,
    })
    const shoot = (name: string) => page.screenshot({ path: `${folder}/${name}.png` })
    await photograph(shoot, new FleetPage(page, product.url), kubectlFor(product.kubeconfig))
  } finally {
    await browser.close()
    await product.stop()
    removeDataDir(product.dataDir)
  }
  return 0
}

type Shoot = (name: string) => Promise<unknown>

/** Walks the main job: healthy fleet, what if, outage, recovery, plan, waves. */
async function photograph(shoot: Shoot, fleet: FleetPage, kubectl: Kubectl): Promise<void> {
  const { page } = fleet
  await fleet.open()
  await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
  await fleet.expectDistribution('ledger', { member1: 3 })
  await page.goto(`${fleet.url}/clusters/what-if?cluster=member1&cause=fails`)
  await page.getByTestId('what-if-target').first().waitFor()
  await shoot('what-if')
  await page.goto(`${fleet.url}/spread?id=shop/delivery-pools`)
  await page.getByTestId('subset-row').nth(3).waitFor()
  await shoot('spread')
  await photographOverview(fleet, shoot, 'overview')
  await kubectl.takeDown('member1')
  await page.getByTestId('flows').locator('[data-flow]').first().waitFor({ state: 'attached', timeout: 60_000 })
  await shoot('overview-outage')
  await fleet.open()
  await page.locator('[data-workload$="/ledger"][data-cluster=member2][data-ready="3"]').waitFor({ timeout: 60_000 })
  await shoot('fleet-outage')
  await page.goto(`${fleet.url}/failover`)
  await page.getByRole('link', { name: say()('failover.count.done') }).waitFor()
  await shoot('failover')
  await page.goto(`${fleet.url}/clusters?cluster=member1`)
  await page.getByRole('dialog').waitFor()
  await shoot('clusters')
  await kubectl.bringBack('member1')
  await kubectl.run(['wait', 'cluster/member1', '--for=condition=Ready=True', '--timeout=60s'])
  await page.goto(`${fleet.url}/failover/incident?cluster=member1`)
  await page.getByTestId('lane-cluster').first().waitFor()
  await shoot('incident')
  await fleet.open()
  await fleet.expectDistribution('ledger', { member2: 3 })
  await fleet.select('web', 'ledger', 'search', 'checkout')
  await fleet.preview('waves')
  await shoot('plan')
  await fleet.apply()
  await page.locator('[data-testid=plan-run-target][data-stage=Done]').nth(1).waitFor({ timeout: 60_000 })
  await shoot('rebalance-plan')
  await new PlanPage(page).expectPhase('Completed')
  await fleet.open()
  await fleet.select('web')
  await fleet.preview('once')
  await fleet.apply()
  await page.locator('[data-testid=rebalance-target][data-stage=healthy]').waitFor({ timeout: 60_000 })
  await shoot('rebalancer')
  await page.goto(`${fleet.url}/rebalancers`)
  await page
    .getByRole('link', { name: /^rebalance-/ })
    .first()
    .waitFor()
  await shoot('rebalancers')
  await fleet.open()
  await fleet.expectDistribution('ledger', { member1: 3 })
  await shoot('fleet')
  await fleet.row('web').getByRole('link', { name: 'web', exact: true }).click()
  await page.getByTestId('distribution-row').first().waitFor()
  await shoot('workload')
  await page.goto(`${fleet.url}/workloads`)
  await page.getByRole('link', { name: 'web', exact: true }).first().waitFor()
  await shoot('workloads')
  await photographQueues(page, fleet.url, shoot)
  await page.goto(`${fleet.url}/activity`)
  await page.getByTestId('activity-row').nth(1).waitFor()
  await shoot('activity')
  await page.goto(`${fleet.url}/api-reference`)
  await page.getByTestId('problem-row').first().waitFor()
  await shoot('api')
  await page.goto(`${fleet.url}/control-plane`)
  await page.locator('[data-freshness=Live]').waitFor()
  await page.getByText(say()('controlPlane.controllers')).first().waitFor()
  await shoot('control-plane')
}

/** With the parts that arrive later. */
async function photographOverview({ page, url }: FleetPage, shoot: Shoot, name: string): Promise<void> {
  await page.goto(`${url}/overview`)
  await page.getByTestId('day-chart').waitFor()
  await page.getByTestId('resilience-verdict').waitFor()
  await shoot(name)
}

/** The queue of the demonstration, in which one workload waits for its quota. */
async function photographQueues(page: Page, url: string, shoot: Shoot): Promise<void> {
  await page.goto(`${url}/queues`)
  await page.getByTestId('queue-row').first().waitFor()
  await shoot('queues')
  await page.goto(`${url}/queues/detail?queue=lab/lab`)
  await page.getByTestId('pending-row').first().waitFor()
  await shoot('queue')
}
