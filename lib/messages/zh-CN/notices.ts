/** 故障事件的通知：浏览器中的，以及发往接收方的；在页面之后加载。 */
export const notices = {
  'notices.cluster.began': '集群 {cluster} 未就绪：{state}',
  'notices.cluster.blocked': '集群 {cluster} 的{n, plural, other { # 个}}工作负载无法故障转移',
  'notices.cluster.ended': '集群 {cluster} 已恢复就绪',
  'notices.failover.began': '工作负载正在离开集群 {cluster}：{state}',
  'notices.drain.began': '集群 {cluster} 正在腾空：{state}',
  'notices.failover.ended': '不再有工作负载离开集群 {cluster}',
  'notices.application.began': '{workload} 在集群 {cluster} 中故障：{state}',
  'notices.workload.began': '{workload} 正在离开集群 {cluster}：{state}',
  'notices.workload.blocked': '{workload} 从集群 {cluster} 的故障转移受阻：{reason}',
  'notices.workload.ended': '{workload} 在集群 {cluster} 中的故障事件已结束',
  'notices.plan.held': '重新平衡计划 {plan} 已暂挂：{state}',
  'notices.plan.holdEnded': '重新平衡计划 {plan} 不再暂挂',
}
