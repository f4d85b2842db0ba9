/** Where we differ from OpenKruise on purpose, each difference with a switch of its own. */
import type { WorkloadSpread } from '../../kube/kinds'
import { SPREAD_RULES_ANNOTATION } from '../../kube/names'

/** What is done otherwise than in OpenKruise. With all of them off, decisions are those of OpenKruise. */
export interface SpreadRules {
  /** A share is taken of the size of the workload when a pod comes or goes, not of the size that the controller saw last. */
  freshShares: boolean
  /** One parser of shares everywhere: a text without exactly one `%` at its end is an error, for deletion costs too. */
  oneShareParser: boolean
  /** A target filter without selector selects every pod in the webhook too, as it does in the controller. */
  openFilter: boolean
  /** A status that says what is there already is not written. */
  quietStatus: boolean
  /** What lasts 30, 15 or 300 seconds is over when they have passed, whatever else happens or does not. */
  punctual: boolean
  /** An adaptive spread passes over subsets whose nodes have no room, unless it sets `disableSimulationSchedule`. */
  simulation: boolean
  /** A pod has its deletion cost from the start, instead of counting as 0 until the controller has seen it. */
  costAtBirth: boolean
}

export type SpreadRule = keyof SpreadRules

/** Everything as OpenKruise does it. */
export const upstreamRules: SpreadRules = {
  freshShares: false,
  oneShareParser: false,
  openFilter: false,
  quietStatus: false,
  punctual: false,
  simulation: false,
  costAtBirth: false,
}

/** What holds unless a spread says otherwise. */
export const ownRules: SpreadRules = {
  freshShares: true,
  oneShareParser: true,
  openFilter: true,
  quietStatus: true,
  punctual: true,
  simulation: true,
  costAtBirth: true,
}

/** On a spread: `upstream`, or the names of the rules that are to be as in OpenKruise, with commas between. */
export const RULES_ANNOTATION = SPREAD_RULES_ANNOTATION

/** The rules of one spread. Names that mean nothing are passed over. */
export function rulesOf({ metadata }: Pick<WorkloadSpread, 'metadata'>): SpreadRules {
  const text = metadata.annotations?.[RULES_ANNOTATION] ?? ''
  const named = new Set(text.split(',').map((name) => name.trim()))
  if (named.has('upstream') || named.has('true')) return upstreamRules
  const entries = Object.entries(ownRules).map(([name, on]) => [name, on && !named.has(name)])
  return Object.fromEntries(entries) as unknown as SpreadRules
}
