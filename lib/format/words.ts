/** The words of the design language: every state has a word and a shape, colour comes last. */
import type { CellView, DivisionStrategy, ReplicaCounts, State } from '@/lib/view/model'
import { formatCount, formatNumberOf } from './numbers'
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

/** "3 of 8 ready, 4 current, 2 unknown, 2 old replicas (1 ready)": the headline first, then what differs from it. */
export function countsSentence(counts: ReplicaCounts): string {
  const { desired, current, ready, unknown = 0 } = counts
  const parts = [
    (desired > 0 || oldWords(counts) === '') && `${formatCount(ready)} of ${formatCount(desired)} ready`,
    current !== ready && `${formatCount(current)} current`,
    unknown > 0 && `${formatCount(unknown)} unknown`,
    oldWords(counts),
  ]
  return parts.filter(Boolean).join(', ')
}

/** "2 old replicas (1 ready), up to 3 more unknown"; empty without old replicas. */
function oldWords({ old = 0, oldReady = 0, oldUnknown = 0 }: ReplicaCounts): string {
  const known = old > 0 && `${formatNumberOf(old, 'old replica')}${oldReady > 0 ? ` (${formatCount(oldReady)} ready)` : ''}`
  if (oldUnknown === 0) return known || ''
  return known ? `${known}, up to ${oldUnknown} more unknown` : `up to ${formatNumberOf(oldUnknown, 'old replica')}, unknown`
}

/** "2 unknown, 3 old"; empty where every replica is a desired one whose state is known. */
export function notesOf({ unknown = 0, old = 0, oldUnknown = 0 }: ReplicaCounts): string {
  const parts = [
    unknown > 0 && `${formatCount(unknown)} unknown`,
    old > 0 && `${formatCount(old)} old`,
    oldUnknown > 0 && `${formatCount(oldUnknown)} old unknown`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The accessible name of a matrix cell: "web in eu-1: 2 of 4 ready, 3 current, attention". */
export function cellSentence(workload: string, cell: CellView, hasReplicas = true): string {
  const role = ROLE_WORDS[cell.role]
  const parts = hasReplicas ? [countsSentence(cell), cell.role !== 'placed' && role] : [role]
  return `${workload} in ${cell.cluster}: ${[...parts, stateWord(cell.state.state).toLowerCase()].filter(Boolean).join(', ')}`
}

const ROLE_WORDS: Record<CellView['role'], string> = { placed: 'placed', evicting: 'being evicted', leaving: 'leaving' }
