/** The order of states in lists and summaries. */
import type { State } from './model'

/** The states, most urgent first. */
export const STATES_BY_URGENCY: readonly State[] = ['fail', 'warn', 'active', 'unknown', 'held', 'ok']
