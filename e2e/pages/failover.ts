/** The failover monitor and its history, by their content. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { FailoverAction } from '@/lib/view/failover-model'
import { say } from '../support/say'

const WAIT = { timeout: 60_000 }

export class FailoverPage {
  constructor(
    private readonly page: Page,
    private readonly url: string,
  ) {}

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/failover`)
    await expect(this.page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
  }

  /** The row of a workload of the default namespace in a cluster. */
  workload(name: string, cluster: string): Locator {
    return this.page.locator(
      `[data-testid=failover-row][data-failover="failover apps~v1/Deployment/default/${name} ${cluster}"]`,
    )
  }

  cluster(name: string): Locator {
    return this.page.locator(`[data-testid=failover-row][data-kind=cluster][data-cluster=${name}]`)
  }

  async expectStage(row: Locator, stage: string): Promise<void> {
    await expect(row).toHaveAttribute('data-stage', stage, WAIT)
  }

  /** The past failover of a workload, or of the cluster itself; waits until it is there. */
  async past(cluster: string, kind: 'workload' | 'cluster' = 'workload'): Promise<Locator> {
    await this.page.goto(`${this.url}/failover?show=history`)
    const row = this.page.locator(`[data-testid=past-failover][data-kind=${kind}][data-cluster=${cluster}]`)
    await expect(row).toBeVisible(WAIT)
    return row
  }

  /** Opens the preview of an action, and confirms it. */
  async action(row: Locator, action: FailoverAction): Promise<void> {
    await row.locator(`[data-action=${action}]`).click()
    await expect(this.page.getByTestId('failover-plan')).toBeVisible(WAIT)
    await this.page
      .getByRole('dialog')
      .getByRole('button', { name: say()(`failover.order.${action}`), exact: true })
      .click()
    await expect(this.page.getByRole('dialog')).toBeHidden(WAIT)
  }
}
