/** The queue pages, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'

const WAIT = { timeout: 60_000 }

export const workloadIdOf = (namespace: string, name: string): string => `apps~v1/Deployment/${namespace}/${name}`

export class QueuePages {
  constructor(readonly page: Page, readonly url: string) {}

  async openList(): Promise<void> {
    await this.page.goto(`${this.url}/queues`)
    await expect(this.page.getByText(/^Live/).first()).toBeVisible(WAIT)
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`${this.url}/queues/detail?queue=${id}`)
    await expect(this.page.getByTestId('queue-state')).toBeVisible(WAIT)
  }

  row(id: string): Locator {
    return this.page.locator(`[data-testid="queue-row"][data-queue="${id}"]`)
  }

  /** The row of a Deployment in the line that is open. */
  waiting(namespace: string, name: string): Locator {
    return this.page.locator(`[data-testid="pending-row"][data-workload="${workloadIdOf(namespace, name)}"]`)
  }

  /** Waits until exactly these wait, in this order. Lets changes in that are held back because the focus is in the line. */
  async expectLine(...names: string[]): Promise<void> {
    await expect(async () => {
      const waiting = this.page.getByTestId('waiting-changes')
      // It goes by itself when the focus leaves the line, perhaps between the look and the click.
      if (await waiting.isVisible()) await waiting.click({ timeout: 1_000 })
      const rows = await this.page.getByTestId('pending-row').evaluateAll((all) => all.map((row) => row.getAttribute('data-workload')?.split('/').at(-1)))
      expect(rows).toEqual(names)
    }).toPass(WAIT)
  }

  get panel(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Presses the button of the page that opens a panel, lets the caller fill it in, and asks. */
  async act(button: string | RegExp, confirm: string, fill: (panel: Locator) => Promise<void> = async () => undefined): Promise<void> {
    await this.page.getByRole('button', { name: button, exact: typeof button === 'string' }).first().click()
    await expect(this.panel.getByTestId('queue-action')).toBeVisible(WAIT)
    await fill(this.panel)
    await this.panel.getByRole('button', { name: confirm, exact: true }).click()
    await expect(this.panel).toBeHidden(WAIT)
  }

  async expectHoldState(state: string): Promise<void> {
    await expect(this.page.getByTestId('hold-panel').getByTestId('hold-state')).toHaveAttribute('data-hold-state', state, WAIT)
  }
}
