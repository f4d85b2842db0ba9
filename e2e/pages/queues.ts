/** The queue pages, in the words of an operator. */
import { expect, type Locator, type Page } from '@playwright/test'
import { say } from '../support/say'

const WAIT = { timeout: 60_000 }

export const workloadIdOf = (namespace: string, name: string): string => `apps~v1/Deployment/${namespace}/${name}`

export class QueuePages {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  async openList(): Promise<void> {
    await this.page.goto(`${this.url}/queues`)
    await expect(this.page.locator('[data-freshness=Live]')).toBeVisible(WAIT)
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`${this.url}/queues/detail?queue=${id}`)
    await expect(this.page.getByTestId('queue-state')).toBeVisible(WAIT)
  }

  row(id: string): Locator {
    return this.page.locator(`[data-testid="queue-row"][data-queue="${id}"]`)
  }

  /** The row of a pending Deployment of the open queue. */
  pending(namespace: string, name: string): Locator {
    return this.page.locator(`[data-testid="pending-row"][data-workload="${workloadIdOf(namespace, name)}"]`)
  }

  /** Waits until exactly these are pending, in this order. Shows changes that are held while the focus is in the table. */
  async expectPending(...names: string[]): Promise<void> {
    await expect(async () => {
      const waiting = this.page.getByTestId('waiting-changes')
      // It disappears when the focus leaves the table, perhaps between the look and the click.
      if (await waiting.isVisible()) await waiting.click({ timeout: 1_000 })
      const rows = await this.page
        .getByTestId('pending-row')
        .evaluateAll((all) => all.map((row) => row.getAttribute('data-workload')?.split('/').at(-1)))
      expect(rows).toEqual(names)
    }).toPass(WAIT)
  }

  /** Holds the queue that is open. */
  async hold(id: string, reason: string): Promise<void> {
    await this.perform(say()('queues.hold.open', { queue: id }), say()('queues.hold.verb'), (panel) =>
      this.reasonIn(panel).fill(reason),
    )
  }

  /** Resumes the queue that is open. */
  async resume(id: string, fill?: (panel: Locator) => Promise<void>): Promise<void> {
    await this.perform(say()('queues.resume.open', { queue: id }), say()('queues.resume.verb'), fill)
  }

  /** Resumes one workload at a time. */
  async inStages(panel: Locator): Promise<void> {
    await panel.getByLabel(say()('queues.resume.manner'), { exact: true }).selectOption('staged')
    await panel.getByLabel(say()('queues.resume.step')).fill('1')
  }

  reasonIn(panel: Locator): Locator {
    return panel.getByLabel(say()('queues.hold.reasonLabel'))
  }

  get panel(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Presses the button of the page that opens a panel, lets the caller fill it in, and confirms. */
  async perform(
    button: string | RegExp,
    confirm: string,
    fill: (panel: Locator) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.page
      .getByRole('button', { name: button, exact: typeof button === 'string' })
      .first()
      .click()
    await expect(this.panel.getByTestId('queue-action')).toBeVisible(WAIT)
    await fill(this.panel)
    await this.panel.getByRole('button', { name: confirm, exact: true }).click()
    await expect(this.panel).toBeHidden(WAIT)
  }

  async expectHoldState(state: string): Promise<void> {
    await expect(this.page.getByTestId('hold-panel').getByTestId('hold-state')).toHaveAttribute(
      'data-hold-state',
      state,
      WAIT,
    )
  }
}
