/** The Fleet page and the rebalance flow, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'

/** Replicas by cluster; a cluster without an entry has none. */
export type Distribution = Readonly<Record<string, number>>

export class FleetPage {
  constructor(readonly page: Page, readonly url: string) {}

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/fleet`)
  }

  row(workload: string): Locator {
    return this.page.getByTestId('workload-row').filter({ has: this.page.getByRole('link', { name: workload, exact: true }) })
  }

  /** Waits until the row shows exactly these replicas, running and wanted alike. */
  async expectDistribution(workload: string, expected: Distribution): Promise<void> {
    await expect.poll(() => this.distribution(workload), { message: `distribution of ${workload}`, timeout: 60_000 }).toEqual(expected)
  }

  /** What the row's cells say: replicas now per cluster, where wanted and ready agree with it. */
  async distribution(workload: string): Promise<Record<string, number | string>> {
    const cells = await this.row(workload).locator('[data-cluster]').evaluateAll((elements) =>
      elements.map((element) => ({ ...(element as HTMLElement).dataset })))
    const held = cells.filter(({ wants, now }) => Number(wants ?? 0) > 0 || Number(now ?? 0) > 0)
    return Object.fromEntries(held.map(({ cluster, now, wants, ready }) =>
      [cluster, now === wants && ready === wants ? Number(now) : `now ${now} wants ${wants} ready ${ready}`]))
  }

  async select(...workloads: string[]): Promise<void> {
    for (const workload of workloads) await this.row(workload).getByRole('checkbox').click()
  }

  /** Opens the plan for the selected workloads: everything at once, or in waves. */
  async preview(way: 'All at once' | 'In waves, without an outage' = 'All at once'): Promise<Locator> {
    await this.page.getByRole('button', { name: /rebalance/i }).first().click()
    const plan = this.page.getByRole('dialog')
    // The choice is kept in the address, so the mark follows the click a moment later.
    await plan.getByLabel(way).click()
    await expect(plan.getByLabel(way)).toBeChecked()
    await expect(plan.getByTestId('plan')).toHaveAttribute('aria-busy', 'false')
    await expect(plan.getByRole('button', { name: 'Apply this plan' })).toBeVisible()
    return plan
  }

  /**
   * Confirms the open plan and waits for the page of the object that it created. When the world moved meanwhile the
   * console shows the new plan and asks again; the operator confirms that one.
   */
  async apply(): Promise<void> {
    const confirm = this.page.getByRole('dialog').getByRole('button', { name: 'Apply this plan' })
    const created = /\/rebalancers\/(detail|plan)/
    await expect(async () => {
      if (!created.test(this.page.url())) await confirm.click({ timeout: 2000 })
      await this.page.waitForURL(created, { timeout: 5000 })
    }).toPass({ timeout: 60_000 })
  }

  /** On the page of a rebalancer: waits until every replica of the target is ready where it was put. */
  async expectHealthyAfterMoving(workload: string, moved: number): Promise<void> {
    const target = this.page.getByTestId('rebalance-target').filter({ has: this.page.getByRole('link', { name: workload, exact: true }) })
    await expect(target).toHaveAttribute('data-stage', 'healthy', { timeout: 60_000 })
    await expect(target).toHaveAttribute('data-moved', String(moved))
  }
}
