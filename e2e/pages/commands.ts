/** The list of commands. */
import { expect, type Locator, type Page } from '@playwright/test'
import { say } from '../support/say'

export class CommandList {
  constructor(private readonly page: Page) {}

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: say()('shell.commands.name') })
  }

  get field(): Locator {
    return this.dialog.getByRole('combobox')
  }

  option(name: string | RegExp): Locator {
    return this.page.getByRole('option', { name })
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+k')
    await expect(this.field).toBeFocused()
  }

  /** Types, waits until the option is the chosen one, and takes it. */
  async run(query: string, option: string | RegExp): Promise<void> {
    await this.open()
    await this.field.fill(query)
    await expect(this.option(option).and(this.page.locator('[aria-selected=true]'))).toBeVisible()
    await this.page.keyboard.press('Enter')
    await expect(this.dialog).toBeHidden()
  }
}
