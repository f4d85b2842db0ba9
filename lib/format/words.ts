/** Words that are not in the catalogue yet. */
import type { State } from '@/lib/view/model'
import type { RebalanceStage } from '@/lib/view/rebalance-model'

const STAGE_WORDS: Record<RebalanceStage, string> = {
  pending: 'Waiting', triggered: 'Triggered', scheduled: 'Scheduled', applied: 'Applied', healthy: 'Healthy',
  failed: 'Failed',
}

/** States in the order in which they ask for attention, the most urgent first. */
export const STATES_BY_URGENCY: readonly State[] = ['fail', 'warn', 'active', 'unknown', 'held', 'ok']

/** The word of a stage of a rebalance. */
export const stageWord = (stage: RebalanceStage): string => STAGE_WORDS[stage]

/** Replicas per cluster: `member1 2 · member2 1`; `nowhere` when there are none. */
export function formatReplicas(replicas: readonly { cluster: string; replicas: number }[]): string {
  return replicas.length === 0 ? 'nowhere' : replicas.map((entry) => `${entry.cluster} ${entry.replicas}`).join(' · ')
}
