import type { clusters as en } from '../en/clusters'

export const clusters: Record<keyof typeof en, string> = {
  'clusters.byState': '按状态统计的集群',
  'clusters.state.ready': '就绪',
  'clusters.state.notReady': '未就绪',
  'clusters.state.unreachable': '无法访问',
  'clusters.state.notReported': '未上报',
  'clusters.state.removing': '正在移除',
  'clusters.state.readyWithoutNodes': '就绪，没有节点',
  'clusters.state.neverReported': '尚未上报状态',
  'clusters.state.notReadyBecause': '未就绪：{why}',
  'clusters.state.unknown': '就绪状态未知',
  'clusters.state.unknownBecause': '就绪状态未知：{why}',
  'clusters.state.evicts': '驱逐工作负载：{taints}',
  'clusters.state.closed': '不接受新的工作负载：{taints}',
  'clusters.state.nodesNotReady': '{total, number} 个节点中有 {n, number} 个未就绪',
}
