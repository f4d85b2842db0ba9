/** Deliberate deviations from OpenKruise, each with a switch. */
import type { WorkloadSpread } from '../../kube/kinds'
import { SPREAD_RULES_ANNOTATION } from '../../kube/names'

/** Deviations from OpenKruise. With all of them off, decisions are those of OpenKruise. */
export interface SpreadRules {
  /**
   * Percentages use the size of the workload when a pod is created or deleted, not the size that the controller last
   * observed.
   */
  freshShares: boolean
  /**
   * One parser of percentages everywhere: a text without exactly one `%` at its end is an error, also for deletion
   * costs.
   */
  oneShareParser: boolean
  /** A target filter without a selector selects every pod in the webhook too, as it does in the controller. */
  openFilter: boolean
  /** An unchanged status is not written. */
  quietStatus: boolean
  /** Timeouts of 30, 15 and 300 seconds end exactly, independent of other events. */
  requeuesOnTime: boolean
  /** An adaptive spread skips subsets whose nodes have no capacity, unless it sets `disableSimulationSchedule`. */
  simulation: boolean
  /** A pod has its deletion cost from its creation, instead of 0 until the controller has processed it. */
  deletionCostAtAdmission: boolean
}

export type SpreadRule = keyof SpreadRules

/** All deviations off, as OpenKruise. */
export const upstreamRules: SpreadRules = {
  freshShares: false,
  oneShareParser: false,
  openFilter: false,
  quietStatus: false,
  requeuesOnTime: false,
  simulation: false,
  deletionCostAtAdmission: false,
}

/** Defaults for spreads without the annotation. */
export const ownRules: SpreadRules = {
  freshShares: true,
  oneShareParser: true,
  openFilter: true,
  quietStatus: true,
  requeuesOnTime: true,
  simulation: true,
  deletionCostAtAdmission: true,
}

/** On a spread: `upstream`, or a comma-separated list of deviations to disable. */
export const RULES_ANNOTATION = SPREAD_RULES_ANNOTATION

/** Returns the rules of one spread. Unknown names are ignored. */
export function rulesOf({ metadata }: Pick<WorkloadSpread, 'metadata'>): SpreadRules {
  const text = metadata.annotations?.[RULES_ANNOTATION] ?? ''
  const named = new Set(text.split(',').map((name) => name.trim()))
  if (named.has('upstream') || named.has('true')) return upstreamRules
  const entries = Object.entries(ownRules).map(([name, on]) => [name, on && !named.has(name)])
  return Object.fromEntries(entries) as unknown as SpreadRules
}
