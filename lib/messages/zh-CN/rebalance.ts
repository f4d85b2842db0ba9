import type { rebalance as en } from '../en/rebalance'

export const rebalance: Record<keyof typeof en, string> = {
  'rebalance.byState': '按状态统计的计划与重新平衡',
}
