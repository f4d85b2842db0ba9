import { message, type ArgsParameter, type Message, type MessageCode, type Value } from '@/lib/messages/message'
import type { State, StateView } from '../model'

/** Returns a state with the message that explains it. */
export const say = (state: State, reason: Message | string): StateView => ({ state, reason })

/** Returns a state with the message of a code. */
export const notify = <K extends MessageCode>(state: State, code: K, ...args: ArgsParameter<K>): StateView => ({
  state,
  reason: message(code, ...args),
})

/** Returns the first items of a list, and the number of the others. */
export const firstOf = (items: readonly Value[], most: number): readonly Value[] =>
  items.length <= most ? items : [...items.slice(0, most), message('common.more', { n: items.length - most })]
