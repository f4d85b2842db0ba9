import type { rebalance as en } from '../en/rebalance'

export const rebalance: Record<keyof typeof en, string> = {
}
