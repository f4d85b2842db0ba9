/** When pages show what their scenes are about. */
import type { Page } from '@playwright/test'

/** The first part with this test id is there. */
export const part =
  (id: string) =>
  (page: Page): Promise<void> =>
    page.getByTestId(id).first().waitFor()

export const live = (page: Page): Promise<void> => page.locator('[data-freshness=Live]').waitFor()

/** The Overview with its computed and fetched parts. */
export async function overview(page: Page): Promise<void> {
  await part('day-chart')(page)
  await part('resilience-verdict')(page)
}
