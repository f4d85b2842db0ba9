import type { clusters as en } from '../en/clusters'

export const clusters: Record<keyof typeof en, string> = {
  'clusters.byState': '按状态统计的集群',
  'clusters.state.ready': '就绪',
  'clusters.state.notReady': '未就绪',
  'clusters.state.unreachable': '无法访问',
  'clusters.state.notReported': '未上报',
  'clusters.state.removing': '正在移除',
}
