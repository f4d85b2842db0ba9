/** Records a failover and the rebalance that brings the replicas home, as an animated PNG. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { FleetPage } from '@/e2e/pages/fleet'
import { type Kubectl, kubectlFor } from '@/e2e/support/kubectl'
import { type Product, removeDataDir, startProduct } from '@/e2e/support/product'
import { sayIn } from '@/e2e/support/say'
import { DEFAULT_LOCALE } from '@/lib/messages'
import { animate, type Frame } from './animation'
import { decode } from './png'

const FLAGS = [
  '--no-execute-after=1s',
  '--cluster-status-update-frequency=1s',
  '--cluster-success-threshold=2s',
  '--cluster-failure-threshold=2s',
  '--resource-eviction-rate=1',
]
const SIZE = { width: 1200, height: 750 }
const FRAME_MS = 250
/** A step of the story is looked at for so long. */
const REST_MS = 2_000
/** On a busy machine a picture takes longer than a frame; the viewer need not wait for it. */
const MAX_MS = 400
const WAIT = { timeout: 60_000 }

/** Writes `failover-and-home.png`; returns the code to end with. */
export async function capture(browser: Browser, folder: string): Promise<number> {
  sayIn(DEFAULT_LOCALE)
  const product = await startProduct({ flags: FLAGS })
  try {
    const page = await browser.newPage({ viewport: SIZE, locale: DEFAULT_LOCALE, colorScheme: 'light' })
    const camera = film(page)
    await story(page, { product, camera })
    const frames = await camera.end()
    const file = join(folder, 'failover-and-home.png')
    const animation = animate(frames)
    writeFileSync(file, animation)
    console.log(`${file}: ${frames.length} frames, ${Math.round(animation.length / 1024)} KiB`)
  } finally {
    await product.stop()
    removeDataDir(product.dataDir)
  }
  return 0
}

interface Film {
  /** Whether pictures are taken from now on. */
  roll(isRolling: boolean): void
  /** Films for as long as one looks at a step. */
  rest(): Promise<void>
  end(): Promise<Frame[]>
}

function film(page: Page): Film {
  const frames: Frame[] = []
  const state = { isRolling: false, isOver: false }
  const loop = async (): Promise<void> => {
    while (!state.isOver) {
      const begin = performance.now()
      const picture = state.isRolling ? decode(await page.screenshot()) : undefined
      await page.waitForTimeout(Math.max(0, FRAME_MS - (performance.now() - begin)))
      if (picture) frames.push({ picture, ms: Math.min(MAX_MS, performance.now() - begin) })
    }
  }
  const running = loop()
  return {
    roll: (isRolling) => {
      state.isRolling = isRolling
    },
    rest: () => page.waitForTimeout(REST_MS),
    end: async () => {
      state.isOver = true
      await running
      return frames
    },
  }
}

async function story(page: Page, { product, camera }: { product: Product; camera: Film }): Promise<void> {
  const kubectl = kubectlFor(product.kubeconfig)
  const fleet = new FleetPage(page, product.url)
  await fleet.open()
  await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })
  await openOverview(page, product.url)
  camera.roll(true)
  await camera.rest()
  await kubectl.takeDown('member1')
  await page.locator('[data-testid=overview-headline][data-state=fail]').waitFor(WAIT)
  await page
    .getByTestId('flows')
    .locator('[data-flow]')
    .first()
    .waitFor({ state: 'attached', ...WAIT })
  await untilReplaced(kubectl)
  await camera.rest()
  await kubectl.bringBack('member1')
  await page.locator('[data-testid=cluster-tile][data-cluster=member1]:not([data-state=fail])').waitFor(WAIT)
  await camera.rest()
  camera.roll(false)
  await fleet.open()
  await fleet.select('web', 'ledger', 'search', 'checkout', 'delivery')
  await fleet.preview('once')
  camera.roll(true)
  await camera.rest()
  await fleet.apply()
  await camera.rest()
  await openOverview(page, product.url)
  await page.locator('[data-testid=cluster-tile][data-cluster=member1]:not([data-ready="0"])').waitFor(WAIT)
  await camera.rest()
  await camera.rest()
}

async function openOverview(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/overview`)
  await page.getByTestId('day-chart').waitFor(WAIT)
  await page.getByTestId('resilience-verdict').waitFor(WAIT)
}

/** Waits until no binding has replicas in the cluster that is down. */
async function untilReplaced(kubectl: Kubectl): Promise<void> {
  const end = performance.now() + WAIT.timeout
  const path = '{range .items[?(@.spec.replicas)]}{.spec.clusters[*].name}{" "}{end}'
  while ((await kubectl.run(['get', 'resourcebindings', '-A', '-o', `jsonpath=${path}`])).includes('member1'))
    if (performance.now() > end) throw new Error('replicas of member1 were not replaced')
}
