import type { Message } from '../../messages/message'

/** A code for programs (CamelCase, fit for a condition or an event) and a message for people. */
export interface Reason {
  code: string
  text: Message
}

/** Builds a reason. Without a code, the last part of the message's is the code. */
export function because(text: Message): Reason
export function because(code: string, text: Message): Reason
export function because(...given: [Message] | [string, Message]): Reason {
  if (given.length === 2) return { code: given[0], text: given[1] }
  const [text] = given
  return { code: text.code.slice(text.code.lastIndexOf('.') + 1), text }
}
