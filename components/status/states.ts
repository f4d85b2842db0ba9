import { tallyKeeper } from '@/lib/std/row-keepers'
import type { State } from '@/lib/view/model'

/** The six states in the order of the legend: quiet first, then by how much they want attention. */
export const STATES: readonly State[] = ['ok', 'active', 'warn', 'fail', 'held', 'unknown']

/** True for a state that "only exceptions" keeps. */
export function isException(state: State): boolean {
  return state !== 'ok'
}

/** The state that an address names, if it is one. */
export function parseState(value: string | undefined): State | undefined {
  return STATES.find((state) => state === value)
}

/** Counts the states of a list. */
export const countStates = (items: readonly Stated[]): Record<State, number> => stateCounter()(items)

/** Counts the states of a list, again and again. */
export function stateCounter(): (items: readonly Stated[]) => Record<State, number> {
  const counts: Record<State, number> = { ok: 0, active: 0, warn: 0, fail: 0, held: 0, unknown: 0 }
  return tallyKeeper({
    count: ({ state }, times) => {
      counts[state.state] += times
    },
    result: () => ({ ...counts }),
  })
}

interface Stated {
  state: { state: State }
}
