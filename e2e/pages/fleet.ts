/** The Fleet page and the rebalance flow, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'
import { say } from '../support/say'

/** Replicas by cluster; a cluster without an entry has none. */
export type Distribution = Readonly<Record<string, number>>

export class FleetPage {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/fleet`)
  }

  row(workload: string): Locator {
    return this.page
      .getByTestId('workload-row')
      .filter({ has: this.page.getByRole('link', { name: workload, exact: true }) })
  }

  /** Waits until the row shows exactly these current and desired replicas. */
  async expectDistribution(workload: string, expected: Distribution): Promise<void> {
    await expect
      .poll(() => this.distribution(workload), { message: `distribution of ${workload}`, timeout: 60_000 })
      .toEqual(expected)
  }

  /** The cells of the row: ready replicas per cluster, if all desired ones are ready and there are no others. */
  async distribution(workload: string): Promise<Record<string, number | string>> {
    const cells = await this.row(workload)
      .locator('[data-cluster]')
      .evaluateAll((elements) => elements.map((element) => ({ ...(element as HTMLElement).dataset })))
    const held = cells.filter(({ desired, old }) => Number(desired) > 0 || Number(old) > 0)
    return Object.fromEntries(
      held.map(({ cluster, desired, current, ready, unknown, old }) => [
        cluster,
        ready === desired && old === '0'
          ? Number(ready)
          : `desired ${desired} current ${current} ready ${ready} unknown ${unknown} old ${old}`,
      ]),
    )
  }

  async select(...workloads: string[]): Promise<void> {
    for (const workload of workloads) await this.row(workload).getByRole('checkbox').click()
  }

  /** Opens the preview for the selected workloads: all at once, or in waves. */
  async preview(way: 'once' | 'waves' = 'once'): Promise<Locator> {
    await this.page.getByRole('button', { name: say()('fleet.rebalance'), exact: true }).click()
    const plan = this.page.getByRole('dialog')
    // The choice is kept in the address, so the mark follows the click a moment later.
    const choice = plan.locator(`input[name=way][value=${way}]`)
    await choice.click()
    await expect(choice).toBeChecked()
    await expect(plan.getByTestId('plan')).toHaveAttribute('aria-busy', 'false')
    await expect(plan.getByTestId('apply-plan')).toBeVisible()
    return plan
  }

  /**
   * Confirms the open plan and waits for the page of the object that it created. When the fleet changed since, the
   * console shows the new preview; the operator applies that one.
   */
  async apply(): Promise<void> {
    const confirm = this.page.getByRole('dialog').getByTestId('apply-plan')
    const created = /\/rebalancers\/(detail|plan)/
    await expect(async () => {
      if (!created.test(this.page.url())) await confirm.click({ timeout: 2000 })
      await this.page.waitForURL(created, { timeout: 5000 })
    }).toPass({ timeout: 60_000 })
  }

  /** On the page of a rebalancer: waits until every replica of the target is ready where it was put. */
  async expectHealthyAfterMoving(workload: string, moved: number): Promise<void> {
    const target = this.page
      .getByTestId('rebalance-target')
      .filter({ has: this.page.getByRole('link', { name: workload, exact: true }) })
    await expect(target).toHaveAttribute('data-stage', 'healthy', { timeout: 60_000 })
    await expect(target).toHaveAttribute('data-moved', String(moved))
  }
}
