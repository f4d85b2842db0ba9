/** When pages show what their scenes are about. */
import type { Page } from '@playwright/test'

export const live = (page: Page): Promise<void> => page.locator('[data-freshness=Live]').waitFor()

/** The first part with this test id is there; a page may draw it before it is connected. */
export const part =
  (id: string) =>
  async (page: Page): Promise<void> => {
    await page.getByTestId(id).first().waitFor()
    await page.locator('[data-freshness=Connecting]').waitFor({ state: 'detached' })
  }

/** The Overview with its computed and fetched parts. */
export async function overview(page: Page): Promise<void> {
  await part('day-chart')(page)
  await part('resilience-verdict')(page)
}
