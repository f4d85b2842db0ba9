/** Words that are not in the catalogue yet. */
import type { State } from '@/lib/view/model'

/** States in the order in which they ask for attention, the most urgent first. */
export const STATES_BY_URGENCY: readonly State[] = ['fail', 'warn', 'active', 'unknown', 'held', 'ok']

/** Replicas per cluster: `member1 2 · member2 1`; `nowhere` when there are none. */
export function formatReplicas(replicas: readonly { cluster: string; replicas: number }[]): string {
  return replicas.length === 0 ? 'nowhere' : replicas.map((entry) => `${entry.cluster} ${entry.replicas}`).join(' · ')
}
