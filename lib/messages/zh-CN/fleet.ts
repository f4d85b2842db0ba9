import type { fleet as en } from '../en/fleet'

export const fleet: Record<keyof typeof en, string> = {
  'fleet.sortByReady': '按 {cluster} 的就绪副本数排序',
}
