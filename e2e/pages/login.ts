/** The login page, and the part that shows the user. */
import { expect, type Locator, type Page } from '@playwright/test'
import { say } from '../support/say'

export class LoginPage {
  constructor(private readonly page: Page) {}

  get token(): Locator {
    return this.page.getByLabel(say()('login.token'), { exact: true })
  }

  get notice(): Locator {
    return this.page.getByTestId('login-notice')
  }

  /** Waits until the page is there. */
  async expectOpen(): Promise<void> {
    await expect(this.page.getByRole('heading', { name: say()('login.title') })).toBeVisible()
    await expect(this.token).toBeVisible()
  }

  async logIn(token: string): Promise<void> {
    const button = this.page.getByRole('button', { name: say()('login.withToken') })
    // Input before the scripts of the page run is ignored.
    await expect(async () => {
      await this.token.fill('')
      await this.token.fill(token)
      await expect(button).toBeEnabled({ timeout: 1_000 })
    }).toPass()
    await button.click()
  }

  async logOut(): Promise<void> {
    await this.page.getByTestId('user').click()
    await this.page.getByRole('button', { name: say()('login.user.logOut') }).click()
  }
}
