/** A browser without a cache, and one page in it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { ensureBrowser } from '../../test/programs'

export interface Opened {
  page: Page
  cdp: CDPSession
}

/** A machine with ten times as much work as it can do is slow, not broken. */
const TIMEOUT_MS = 180_000

/** Opens a page in a browser of its own for as long as `work` takes; with a folder, writes a CPU profile of it there. */
export async function inBrowser<T>(
  { name, profiles }: { name: string; profiles: string | undefined },
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const args = ['--enable-precise-memory-info', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(TIMEOUT_MS)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    if (profiles !== undefined) {
      await cdp.send('Profiler.enable')
      await cdp.send('Profiler.start')
    }
    const result = await work({ page, cdp })
    if (profiles !== undefined) {
      const { profile } = await cdp.send('Profiler.stop')
      mkdirSync(profiles, { recursive: true })
      writeFileSync(join(profiles, `${name}.cpuprofile`), JSON.stringify(profile))
    }
    return result
  } finally {
    await browser.close()
  }
}

/** Resolves once the page has all its data and reports that it is live. */
export async function whenLive(page: Page): Promise<void> {
  await page.locator('[data-testid=freshness][data-freshness=Live]').first().waitFor()
}
