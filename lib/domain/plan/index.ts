/** Types that all previewed decisions share: steps, and reasons in two forms. */
import type { Message } from '@/lib/messages/message'

/**
 * A reason: a code for programs (CamelCase, suitable for a condition) and a message for users. A string is text of
 * another program, or text that is not in the catalogue yet.
 */
export interface Reason<Text extends Message | string = string> {
  code: string
  text: Text
}

/** One action of a controller, with its reason. Actions are idempotent. */
export interface Step<Act extends string, Details = unknown, Text extends Message | string = string> {
  act: Act
  reason: Reason<Text>
  details: Details
}

/**
 * Builds a reason. For a message alone, the code is the last part of the message's code, as in
 * `rebalance.run.NotScheduled`.
 */
export function because(text: Message): Reason<Message>
export function because<Text extends Message | string>(code: string, text: Text): Reason<Text>
export function because(...given: [Message] | [string, Message | string]): Reason<Message | string> {
  if (given.length === 2) return { code: given[0], text: given[1] }
  const [text] = given
  return { code: text.code.slice(text.code.lastIndexOf('.') + 1), text }
}

/**
 * Parses `3` or `10%` and returns the amount of `whole`, rounded up for percentages; undefined if the text is neither.
 */
export function amountOf(value: number | string, whole: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined
  const match = /^(\d+)(%?)$/.exec(value)
  if (!match) return undefined
  const amount = Number(match[1])
  if (!match[2]) return amount
  return Math.ceil((Math.min(100, amount) * whole) / 100)
}

/** Renders a message in English, for fields of objects that contain text. */
export type InEnglish = (text: Message | string) => string
