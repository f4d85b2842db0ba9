import type { fleet as en } from '../en/fleet'

export const fleet: Record<keyof typeof en, string> = {
  'fleet.sortByReady': '按 {cluster} 的就绪副本数排序',
  'fleet.cell': '{workload}（{cluster}）：{counts}{role, select, evicting {，正在驱逐} leaving {，正在移除} other {}}。{state}',
  'fleet.cellWithoutReplicas': '{workload}（{cluster}）：{role, select, evicting {正在驱逐} leaving {正在移除} other {已调度}}。{state}',
  'fleet.cellEmpty': '{workload}（{cluster}）：未调度',
  'fleet.byState': '按状态统计的工作负载',
}
