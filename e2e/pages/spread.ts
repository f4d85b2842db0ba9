/** The Spread pages, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'

export class SpreadPages {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  /** Opens the list and follows the link of the spread. */
  async follow(id: string): Promise<void> {
    await this.page.goto(`${this.url}/spread`)
    await this.page
      .locator(`[data-testid="spread-row"][data-spread="${id}"]`)
      .getByRole('link', { name: id.split('/')[1], exact: true })
      .click()
    await expect(this.page).toHaveURL(`${this.url}/spread?id=${id}`)
  }

  cluster(name: string): Locator {
    return this.page.locator(`[data-testid="spread-cluster"][data-cluster="${name}"]`)
  }

  subset(cluster: string, name: string): Locator {
    return this.cluster(cluster).locator(`[data-testid="subset-row"][data-subset="${name}"]`)
  }

  /** Waits until the cluster shows exactly these pods by subset, and the sum balances. */
  async expectPods(cluster: string, pods: Readonly<Record<string, number>>): Promise<void> {
    for (const [subset, now] of Object.entries(pods))
      await expect(this.subset(cluster, subset)).toHaveAttribute('data-current', String(now), { timeout: 60_000 })
    const sum = Object.values(pods).reduce((total, now) => total + now, 0)
    const shown = this.cluster(cluster).getByTestId('sum')
    await expect(shown).toHaveAttribute('data-off', '0')
    await expect(shown).toContainText(`${sum} = ${Object.values(pods).join(' + ')}`)
  }
}
