/** What every journey gets: a product of its own, kubectl against it, and the pages of its console. */
import { test as base, expect } from '@playwright/test'
import { FleetPage } from '../pages/fleet'
import { kubectlFor, type Kubectl } from './kubectl'
import { clearAway, startProduct, type Product } from './product'

interface Fixtures {
  /** Flags of the product in this file; set with `test.use`. */
  flags: readonly string[]
  product: Product
  kubectl: Kubectl
  fleet: FleetPage
  /** After each test: stops its processes, and attaches their output to a failure. */
  cleared: void
}

export const test = base.extend<Fixtures>({
  flags: [['--no-demo'], { option: true }],
  cleared: [
    async ({ flags }, use, testInfo) => {
      await use()
      const outputs = await clearAway()
      if (testInfo.status === testInfo.expectedStatus) return
      await testInfo.attach('flags', { body: flags.join(' ') })
      for (const [index, body] of outputs.entries()) await testInfo.attach(`product-${index + 1}.log`, { body })
    },
    { auto: true },
  ],
  product: async ({ flags }, use) => {
    const product = await startProduct({ flags })
    await use(product)
    await product.stop()
  },
  kubectl: async ({ product }, use) => use(kubectlFor(product.kubeconfig)),
  fleet: async ({ page, product }, use) => use(new FleetPage(page, product.url)),
})

/** Tag of the journeys that run in every language; they find elements by role, test id and texts of the catalogue. */
export const CORE = '@core'

export { expect }
