/** The product in its own process, for the duration of a measurement. */
import { type Product, removeDataDir, startProduct } from '@/e2e/support/product'
import { ensureBuild } from '@/server/cli/build'

/** Starts it without the demonstration and with these flags and variables, and removes its data afterwards. */
export async function withProduct<T>(
  flags: readonly string[],
  measure: (product: Product) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
): Promise<T> {
  await ensureBuild()
  const product = await startProduct({ flags: ['--no-demo', '--log-level=warn', ...flags], env })
  try {
    return await measure(product)
  } finally {
    await product.stop()
    removeDataDir(product.dataDir)
  }
}
