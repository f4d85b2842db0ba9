import type { rebalanceApi as en } from '../en/rebalance-api'

export const rebalanceApi: Record<keyof typeof en, string> = {
  'rebalance.problem.NothingMoves': '所选工作负载现在都不会迁移，预览中列出了各自的原因。未做任何更改。',
  'rebalance.problem.PlanOutdated': '预览之后机群状态已变化，未做任何更改。请查看新的预览并确认。',
  'rebalance.problem.labels': '标签选择器无效：{error}',
  'rebalance.problem.tooMany': '一个计划最多包含 {most, number} 个工作负载。请减少选择。',
  'rebalance.problem.tooManyAtOnce':
    '{n, number} 个工作负载的结果无法存入一个 WorkloadRebalancer。请减少选择，其余的随后再重新平衡。',
  'rebalance.problem.tooManySelected':
    '选择匹配了 {n, number} 个工作负载，而一个计划最多包含 {most, number} 个。请拆分为多个计划。',
  'rebalance.problem.AlreadyExists': '名称 {name} 已被使用，未创建任何对象。请选择其他名称。',
  'rebalance.problem.IdempotencyKeyReused': '该 Idempotency-Key 已用于其他请求，未做任何更改。请为每个操作使用新的键。',
  'rebalance.problem.NotSynced': '控制台尚未完整读取控制面。请稍后重试。',
  'rebalance.problem.Stale': '控制面没有响应，结果会过期。请在控制台恢复实时后重试。',
  'rebalance.problem.clusterExists': '集群 {cluster} 已存在。请为新集群选择其他名称。',
  'rebalance.problem.noPolicy': '策略 {policy} 不存在，或者你没有查看权限。请选择其他策略。',
  'rebalance.problem.noAllow': '策略 {policy} 已允许 {cluster}，或者不按名称选择集群。请在放置实验室中编辑该策略。',
  'rebalance.problem.invalidPlacement': '策略 {policy} 的放置规则无效：{error}。请修正后重试。',
  'rebalance.problem.noExclude': '策略 {policy} 已排除 {cluster}。请选择其他集群。',
  'rebalance.problem.noCluster': '集群 {cluster} 未注册。请选择其他集群。',
  'rebalance.problem.noWorkload': '工作负载 {workload} 不存在，或者你没有查看权限。请选择其他工作负载。',
  'rebalance.problem.noLoss': '{clusters} 的故障尚未计算。请在容灾页面上计算。',
  'rebalance.audit.undo': '撤销计划 {plan}',
  'rebalance.audit.approve': '批准 RebalancePlan',
  'rebalance.audit.continue': '继续 RebalancePlan',
  'rebalance.audit.pause': '暂停 RebalancePlan',
  'rebalance.audit.resume': '恢复 RebalancePlan',
  'rebalance.audit.stop': '停止 RebalancePlan',
  'rebalance.audit.discard': '删除 RebalancePlan',
}
