import type { Text } from '@/lib/messages'
import type { ClusterView } from '@/lib/view/model'
import type { ClusterPicture } from './federation'

/** "6 of 36 CPU, 17%", "36 CPU lost" of a cluster that does not answer, or that it is not reported. */
export function cpuText(text: Text, { cpu, ready }: Pick<ClusterView, 'cpu' | 'ready'>): string {
  if (cpu === undefined) return text('overview.federation.cpuUnknown')
  if (ready !== 'True') return text('overview.federation.cpuLost', { allocatable: { cpu: cpu.allocatable } })
  return text('overview.federation.cpu', {
    requested: { cpu: cpu.allocated },
    allocatable: { cpu: cpu.allocatable },
    percent: text.format.percent(cpu.allocated, cpu.allocatable),
  })
}

/** A cluster of the picture as one sentence: its accessible name. */
export function clusterSentence(text: Text, { cluster, ready, desired, starting }: ClusterPicture): string {
  return text('overview.federation.tile', {
    cluster: cluster.name,
    state: text.of(cluster.state.reason),
    ready,
    desired,
    starting,
    cpu: cpuText(text, cluster),
  })
}
