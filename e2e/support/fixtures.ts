/** What every journey gets: a product of its own, kubectl against it, and the pages of its console. */
import { test as base, expect } from '@playwright/test'
import { FleetPage } from '../pages/fleet'
import { kubectlFor, type Kubectl } from './kubectl'
import { removeDataDir, startProduct, type Product } from './product'

interface Fixtures {
  /** Flags of the product in this file; set with `test.use`. */
  flags: readonly string[]
  product: Product
  kubectl: Kubectl
  fleet: FleetPage
}

export const test = base.extend<Fixtures>({
  flags: [['--no-demo'], { option: true }],
  product: async ({ flags }, use, testInfo) => {
    const product = await startProduct({ flags })
    await use(product)
    await product.stop()
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('product.log', { body: product.output() })
    removeDataDir(product.dataDir)
  },
  kubectl: async ({ product }, use) => use(kubectlFor(product.kubeconfig)),
  fleet: async ({ page, product }, use) => use(new FleetPage(page, product.url)),
})

export { expect }
