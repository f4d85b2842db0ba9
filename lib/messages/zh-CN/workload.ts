import type { workload as en } from '../en/workload'

export const workload: Record<keyof typeof en, string> = {
  'workload.strategy.Duplicated': '复制到每个集群',
  'workload.strategy.StaticWeight': '按静态权重划分',
  'workload.strategy.DynamicWeight': '按可用副本数动态划分',
  'workload.strategy.Aggregated': '聚合到少数集群',
  'workload.strategy.NotDivided': '无可划分的副本',
  'workload.noReplicas': '无副本',
}
