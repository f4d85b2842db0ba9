import type { drill as en } from '../en/drill'

/** 模拟环境中的引导演练，随演练加载。 */
export const drill: Record<keyof typeof en, string> = {
  'drill.name': '引导演练',
  'drill.title': '两分钟体验故障转移与回切',
  'drill.finished': '演练完成，所有副本均已返回。',
  'drill.intro': '此处的集群均为模拟集群，各页面的行为与真实集群相同。',
  'drill.progress': '已完成 {done, number} / 4 步',
  'drill.bar': '演练：已完成 {done, number} / 4 步',
  'drill.leave': '退出演练',
  'drill.close': '关闭',
  'drill.done': '已完成',
  'drill.notYet': '完成第 {n, number} 步后可用',
  'drill.step.down': '使一个集群失效',
  'drill.step.watch': '观察故障转移',
  'drill.step.preview': '预览重新平衡',
  'drill.step.home': '让副本返回',
  'drill.meaning.down': '模拟程序停止 {cluster}，其副本丢失。不影响任何真实集群。',
  'drill.meaning.watch': 'Karmada 为 {cluster} 添加污点，驱逐其工作负载并调度到其他集群。全部恢复后此步骤完成。',
  'drill.meaning.preview': '恢复 {cluster}。工作负载保持不动；预览会显示哪些副本将按什么顺序返回。',
  'drill.meaning.home': '批准计划。副本在干扰预算内分批返回 {cluster}。',
  'drill.takeDown': '使 {cluster} 失效',
  'drill.bringBack': '恢复 {cluster}',
  'drill.openIncident': '打开故障事件',
  'drill.preview': '预览重新平衡',
  'drill.openPlan': '打开计划',
}
