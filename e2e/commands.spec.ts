import { CommandList } from './pages/commands'
import { findings } from './support/axe'
import { CORE, expect, test } from './support/fixtures'
import { say } from './support/say'

test.describe('the list of commands', () => {
  test.use({ flags: [] })

  test(
    'opens every page and runs the actions of the page, by keyboard alone',
    { tag: CORE },
    async ({ page, product, fleet }) => {
      const commands = new CommandList(page)
      const broken: string[] = []
      await page.exposeFunction('policyBroken', (text: string) => void broken.push(text))
      await page.addInitScript(() => {
        const { policyBroken } = window as unknown as { policyBroken: (text: string) => Promise<void> }
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
          void policyBroken(`${violatedDirective} ${sample}`)
        })
      })
      await fleet.open()
      await fleet.expectDistribution('checkout', { member1: 4, member2: 2, member3: 2 })

      await test.step('it is labelled and accessible', async () => {
        const button = page.getByRole('button', { name: say()('shell.commands.button') })
        await expect(button).toHaveAttribute('aria-keyshortcuts', 'Control+K Meta+K')
        await commands.open()
        await expect(
          commands.option(say()('shell.goTo', { page: say()('shell.section.workloads') })).first(),
        ).toBeVisible()
        await expect(commands.option(say()('fleet.onlyExceptions'))).toBeVisible()
        for (const query of ['', 'e']) {
          await commands.field.fill(query)
          expect(await findings(page, { within: '[role=dialog]' })).toEqual([])
        }
        await page.keyboard.press('Escape')
        await expect(commands.dialog).toBeHidden()
      })

      await test.step('a workload, a cluster and a page are found by name', async () => {
        await commands.run('checkout', /^shop\/checkout/)
        await expect(page).toHaveURL(/\/workloads\/detail\?id=apps~v1\/Deployment\/shop\/checkout$/)
        await commands.run('member2', /^member2/)
        await expect(page.getByRole('dialog', { name: 'member2' })).toBeVisible()
        await commands.run(
          say()('clusters.drainCommand', { cluster: 'member2' }),
          say()('clusters.drainCommand', { cluster: 'member2' }),
        )
        await expect(
          page.getByRole('dialog', {
            name: say()('failover.actionOnCluster', { action: say()('failover.order.drain'), cluster: 'member2' }),
          }),
        ).toBeVisible()
        await page.keyboard.press('Escape')
        await commands.run(
          say()('shell.commands.whatIf'),
          say()('shell.goTo', { page: say()('shell.commands.whatIf') }),
        )
        await expect(page).toHaveURL(`${product.url}/clusters/what-if`)
      })

      await test.step('an action of the page starts as by its button, and the focus returns', async () => {
        await fleet.open()
        await fleet.row('ledger').getByRole('checkbox').focus()
        await page.keyboard.press('Space')
        await expect(fleet.row('ledger').getByRole('checkbox')).toBeChecked()
        await page.keyboard.press('.')
        const acts = page.getByRole('dialog', { name: say()('shell.commands.page') })
        await expect(acts.getByRole('option', { name: say()('fleet.planSelection') })).toBeVisible()
        await expect(
          acts.getByRole('option', { name: say()('shell.goTo', { page: say()('shell.section.workloads') }) }),
        ).toBeHidden()
        await acts.getByRole('combobox').fill(say()('fleet.planSelection'))
        await expect(acts.locator('[role=option][aria-selected=true]')).toContainText(say()('fleet.planSelection'))
        await page.keyboard.press('Enter')
        await expect(
          page.getByRole('dialog', { name: say()('plan.drawer.titleOne', { workload: 'ledger' }) }),
        ).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(fleet.row('ledger').getByRole('checkbox')).toBeFocused()
      })

      await test.step('the theme is a command too', async () => {
        await commands.run(
          say()('shell.themes.dark'),
          say()('shell.commands.theme', { theme: say()('shell.themes.dark') }),
        )
        await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      })

      await test.step('single keys can be switched off for good; Ctrl K stays', async () => {
        await commands.run(say()('shell.keyboard'), say()('shell.keyboard'))
        const help = page.getByRole('dialog', { name: say()('shell.keyboard') })
        await expect(help).toContainText('Ctrl K')
        await help.getByRole('checkbox', { name: say()('shell.singleKeys') }).click()
        await page.keyboard.press('Escape')
        await page.reload()
        await expect(page.locator('[data-freshness=Live]')).toBeVisible()
        await page.keyboard.press('?')
        await page.keyboard.press('.')
        await commands.open()
        await expect(page.getByRole('dialog')).toHaveCount(1)
      })
      expect(broken).toEqual([])
    },
  )
})

test.describe('a console that is read-only', () => {
  test.use({ flags: ['--read-only'] })

  test('offers no refused action, by button, by key or as a command', async ({ page, product, fleet }) => {
    const commands = new CommandList(page)
    const why = say()('access.readOnly')
    await page.goto(`${product.url}/rebalancers/new?left=member1`)
    const make = page.getByRole('button', { name: say()('rebalance.newPlan.preview') })
    await expect(make).toHaveAttribute('aria-disabled', 'true')
    await expect(make).toHaveAccessibleDescription(why)
    await make.focus()
    await expect(page.getByRole('tooltip')).toContainText(why)
    await page.goto(`${product.url}/queues`)
    await expect(page.getByRole('button', { name: say()('queues.new.open') })).toHaveAccessibleDescription(why)
    await fleet.open()
    await expect(fleet.row('checkout')).toBeVisible()
    await expect(page.getByTestId('read-only')).toBeVisible()
    await page.keyboard.press('p')
    await expect(page.getByTestId('live-region')).toHaveText(why)
    await commands.open()
    await commands.field.fill(say()('fleet.planSelection'))
    await expect(commands.option(say()('fleet.planSelection'))).toContainText(why)
    await page.keyboard.press('Enter')
    await expect(commands.dialog).toBeVisible()
  })
})
