import { message, type ArgsParameter, type Message, type MessageCode, type Value } from '@/lib/messages/message'
import type { State, StateView } from '../model'

/** A state with the message that explains it. */
export const say = (state: State, reason: Message | string): StateView => ({ state, reason })

/** A state with the message of a code. */
export const tell = <K extends MessageCode>(state: State, code: K, ...args: ArgsParameter<K>): StateView => ({
  state,
  reason: message(code, ...args),
})

/** The first of a long list, and how many more there are. */
export const firstOf = (items: readonly Value[], most: number): readonly Value[] =>
  items.length <= most ? items : [...items.slice(0, most), message('common.more', { n: items.length - most })]
