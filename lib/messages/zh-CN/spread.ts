import type { spread as en } from '../en/spread'

export const spread: Record<keyof typeof en, string> = {
  'spread.byState': '按状态统计的分布',
}
