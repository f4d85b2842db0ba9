import type { State, StateView } from '../model'

/** A state with the sentence that explains it. */
export const say = (state: State, reason: string): StateView => ({ state, reason })
