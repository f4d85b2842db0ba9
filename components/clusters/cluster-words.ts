import { stateWord } from '@/lib/format'
import type { ClusterView, TaintView } from '@/lib/view/model'

/** Said of figures that a cluster gave before it fell silent. */
export const LAST_REPORTED = 'As last reported, before it stopped being ready'

/** A cluster is "Ready" or "Lost" before it is anything else. */
export function clusterWord(cluster: ClusterView): string {
  if (cluster.deleting) return 'Leaving'
  if (cluster.state.state === 'ok') return 'Ready'
  if (cluster.ready === 'Missing') return 'Not reported'
  if (cluster.state.state === 'fail') return cluster.ready === 'Unknown' ? 'Lost' : 'Not ready'
  return stateWord(cluster.state.state)
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
