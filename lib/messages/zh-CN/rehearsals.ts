import type { rehearsals as en } from '../en/rehearsals'

export const rehearsals: Record<keyof typeof en, string> = {
  'rehearsals.problem.tooSlow': '演练未在 {time} 内结束。请缩短场景，或使用 npm run -s rehearse 运行。',
  'rehearsals.problem.failed': '演练意外失败。原因见服务器日志。',
  'rehearsals.problem.memory': '演练需要的内存超过 {limit}。请为控制台分配更多内存，或使用 npm run -s rehearse 运行。',
  'rehearsals.refused.full': '已有 {count, number} 个演练在等待。请在其中一个结束后重试。',
  'rehearsals.refused.ofUser': '自己已有 {count, number} 个演练在进行中。请取消其中一个，或等待其结束。',
  'rehearsals.refused.unavailable': '此实例不运行演练。',
  'rehearsals.refused.tooLarge':
    '联邦有 {workloads, number} 个工作负载、{replicas, number} 个副本；此控制台的内存允许 {most, number} 个工作负载和 {mostReplicas, number} 个副本。请分配更多内存，或对导出文件使用 npm run -s rehearse。',
}
