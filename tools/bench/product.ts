/** The product as a process of its own, for as long as something is measured. */
import { type Product, removeDataDir, startProduct } from '@/e2e/support/product'
import { ensureBuild } from '@/server/cli/build'

/** Starts it without the demonstration and with these flags, and leaves nothing behind. */
export async function withProduct<T>(flags: readonly string[], measure: (product: Product) => Promise<T>): Promise<T> {
  await ensureBuild()
  const product = await startProduct({ flags: ['--no-demo', '--log-level=warn', ...flags] })
  try {
    return await measure(product)
  } finally {
    await product.stop()
    removeDataDir(product.dataDir)
  }
}
