import type { Text } from '@/lib/messages'
import type { ClusterView, TaintView } from '@/lib/view/model'

/** The state of a cluster: Ready or Unreachable before anything else. */
export function clusterWord(text: Text, cluster: ClusterView): string {
  if (cluster.deleting) return text('clusters.state.removing')
  if (cluster.state.state === 'ok') return text('clusters.state.ready')
  if (cluster.ready === 'Missing') return text('clusters.state.notReported')
  if (cluster.state.state !== 'fail') return text(`common.state.${cluster.state.state}`)
  return text(cluster.ready === 'Unknown' ? 'clusters.state.unreachable' : 'clusters.state.notReady')
}

/** `eu / eu-a, eu-b`; `—` where neither is known. */
export function placeOf({ region, zones }: Pick<ClusterView, 'region' | 'zones'>): string {
  return [region, zones.join(', ')].filter(Boolean).join(' / ') || '—'
}

/** `key=value:Effect`, as kubectl writes it. */
export function taintText({ key, value, effect }: TaintView): string {
  return value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`
}

const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule']

/** The strongest effect, and how many taints there are besides: `NoExecute +1`; `—` without taints. */
export function taintsInShort(taints: readonly TaintView[]): string {
  const strongest = EFFECTS.find((effect) => taints.some((taint) => taint.effect === effect)) ?? taints[0]?.effect
  if (strongest === undefined) return '—'
  return taints.length === 1 ? strongest : `${strongest} +${taints.length - 1}`
}
