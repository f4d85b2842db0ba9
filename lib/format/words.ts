/** The words of the design language: every state has a word and a shape, colour comes last. */
import type { CellView, DivisionStrategy, State } from '@/lib/view/model'
import type { RebalanceStage } from '@/lib/view/rebalance-model'

const STATE_WORDS: Record<State, string> = {
  ok: 'Healthy', active: 'Moving', warn: 'Attention', fail: 'Failed', held: 'Held', unknown: 'Unknown',
}

/** The shape that goes with a state. */
export type GlyphName = 'disc' | 'half-disc' | 'triangle' | 'square-cross' | 'bars' | 'dashed-ring'

const STATE_GLYPHS: Record<State, GlyphName> = {
  ok: 'disc', active: 'half-disc', warn: 'triangle', fail: 'square-cross', held: 'bars', unknown: 'dashed-ring',
}

const STAGE_WORDS: Record<RebalanceStage, string> = {
  pending: 'Waiting', triggered: 'Triggered', scheduled: 'Scheduled', applied: 'Applied', healthy: 'Healthy',
  failed: 'Failed',
}

const STRATEGY_WORDS: Record<DivisionStrategy, string> = {
  Duplicated: 'Duplicated to every cluster',
  StaticWeight: 'Divided by fixed weights',
  DynamicWeight: 'Divided by free capacity',
  Aggregated: 'Packed into few clusters',
  NotDivided: 'Copied, without replicas',
}

/** States in the order in which they ask for attention, the most urgent first. */
export const STATES_BY_URGENCY: readonly State[] = ['fail', 'warn', 'active', 'unknown', 'held', 'ok']

/** The word of a state. */
export const stateWord = (state: State): string => STATE_WORDS[state]

/** The shape of a state. */
export const stateGlyph = (state: State): GlyphName => STATE_GLYPHS[state]

/** The word of a stage of a rebalance. */
export const stageWord = (stage: RebalanceStage): string => STAGE_WORDS[stage]

/** How replicas are divided, in words. */
export const strategyWord = (strategy: DivisionStrategy): string => STRATEGY_WORDS[strategy]

/** Replicas per cluster: `member1 2 · member2 1`; `nowhere` when there are none. */
export function formatReplicas(replicas: readonly { cluster: string; replicas: number }[]): string {
  return replicas.length === 0 ? 'nowhere' : replicas.map((entry) => `${entry.cluster} ${entry.replicas}`).join(' · ')
}

/** The accessible name of a matrix cell: "web in eu-1: 12 of 12 ready, wants 12, healthy". */
export function cellSentence(workload: string, cell: CellView, hasReplicas = true): string {
  const parts = hasReplicas ? [readyWords(cell), wantsWords(cell)] : [cell.role === 'placed' ? 'placed' : cell.role]
  return `${workload} in ${cell.cluster}: ${[...parts, stateWord(cell.state.state).toLowerCase()].join(', ')}`
}

function readyWords(cell: CellView): string {
  return cell.now === undefined ? 'nothing reported' : `${cell.ready ?? 0} of ${cell.now} ready`
}

function wantsWords(cell: CellView): string {
  if (cell.role === 'evicting') return 'being evicted'
  return cell.role === 'leaving' ? 'leaving' : `wants ${cell.wants}`
}
