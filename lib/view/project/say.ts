import type { Message } from '@/lib/messages/message'
import type { State, StateView } from '../model'

/** A state with the sentence that explains it. */
export const say = (state: State, reason: Message | string): StateView => ({ state, reason })
