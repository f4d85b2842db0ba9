/** The page of a RebalancePlan, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'
import { say } from '../support/say'

export class PlanPage {
  constructor(readonly page: Page) {}

  /** Has the plan made that the form with this query describes. */
  async create(url: string, query: string): Promise<void> {
    await this.page.goto(`${url}/rebalancers/new?${query}`)
    // The button is rendered before the scripts of the page run, and would ignore the click.
    await expect(this.page.locator('[data-freshness=Live]')).toBeVisible({ timeout: 60_000 })
    await this.page.getByRole('button', { name: say()('rebalance.newPlan.preview') }).click()
  }

  target(workload: string): Locator {
    return this.page
      .getByTestId('plan-run-target')
      .filter({ has: this.page.getByRole('link', { name: workload, exact: true }) })
  }

  async expectPhase(phase: string): Promise<void> {
    await expect(this.page.getByTestId('plan-state')).toHaveAttribute('data-phase', phase, { timeout: 60_000 })
  }

  async act(action: 'approve' | 'pause' | 'resume' | 'stop' | 'continue' | 'discard' | 'undo'): Promise<void> {
    await this.page.getByRole('button', { name: say()(`plan.action.${action}`), exact: true }).click()
  }

  /** Every workload arrived, none had fewer ready replicas on the way than its budget permits, and the preview was right. */
  async expectCalmRun(...workloads: string[]): Promise<void> {
    await this.expectPhase('Completed')
    for (const workload of workloads) {
      await expect(this.target(workload)).toHaveAttribute('data-stage', 'Done')
      const ready = this.target(workload).locator('[data-floor]')
      const [lowest, floor] = [await ready.getAttribute('data-lowest'), await ready.getAttribute('data-floor')].map(
        Number,
      )
      expect(lowest).toBeGreaterThanOrEqual(floor ?? Infinity)
    }
    await expect(this.page.getByTestId('plan-prediction')).toHaveAttribute('data-error', '0')
  }
}
