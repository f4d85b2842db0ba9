import type { clusters as en } from '../en/clusters'

export const clusters: Record<keyof typeof en, string> = {
  'clusters.state.ready': '就绪',
  'clusters.state.notReady': '未就绪',
  'clusters.state.removing': '正在移除',
  'clusters.state.readyWithoutNodes': '就绪，没有节点',
  'clusters.state.neverReported': '尚未上报状态',
  'clusters.state.notReadyBecause': '未就绪：{why}',
  'clusters.state.unknown': '就绪状态未知',
  'clusters.state.unknownBecause': '就绪状态未知：{why}',
  'clusters.state.evicts': '有 NoExecute 污点：{taints}',
  'clusters.state.closed': '不接受新的工作负载：{taints}',
  'clusters.state.nodesNotReady': '{total, number} 个节点中有 {n, number} 个未就绪',
  'clusters.empty': '尚无集群',
  'clusters.emptyMeaning':
    '在你自己的控制面上，成员集群在执行 <join></join> 后会显示在此处。在内嵌控制面上，带有节点数量的 Cluster 对象即为模拟成员集群：',
  'clusters.addCommand': '命令',
}
