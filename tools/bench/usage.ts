/** Resource usage of a running product, from its metrics. */
import { request } from 'undici'
import type { Product } from '@/e2e/support/product'

export interface Usage {
  cpuSeconds: number
  residentMiB: number
  /** The longest delay that a timer measured since the usage was last asked for. */
  longestDelayMilliseconds: number
}

export async function usageOf(product: Product): Promise<Usage> {
  const { body } = await request(`${product.url}/metrics`)
  const metrics = await body.text()
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    cpuSeconds: value('process_cpu_seconds_total'),
    residentMiB: Math.round(value('process_resident_memory_bytes') / 2 ** 20),
    longestDelayMilliseconds: Math.round(value('nodejs_eventloop_lag_max_seconds') * 1000),
  }
}

/** Milliseconds as seconds, to two digits. */
export function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(2))
}

/** What limits a figure: the main thread of the product if it was busy all the time, else `otherwise`. */
export function limitOf(cpuSeconds: number, wallMs: number, otherwise: string): string {
  const cores = cpuSeconds / (wallMs / 1000)
  const used = `the product used ${cores.toFixed(2)} cores on average`
  return cores > 0.85 ? `the main thread of the product: ${used}` : `${otherwise}: ${used}`
}

/** A flag that must be a whole number above 0. */
export function countOf(flag: string, text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${flag} must be a number above 0, not "${text}"`)
  return count
}
