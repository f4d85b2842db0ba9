/** What every decision that is shown before it is carried out has in common: steps, and reasons in two forms. */
import type { Message } from '@/lib/messages/message'

/**
 * A code for programs (CamelCase, fit for a condition) and a message for people. A string is the text of another program,
 * or one that is not in the catalogue yet.
 */
export interface Reason<Text extends Message | string = string> {
  code: string
  text: Text
}

/** One thing that a loop is to do, and why. Carrying it out twice must do no harm. */
export interface Step<Act extends string, Details = unknown, Text extends Message | string = string> {
  act: Act
  reason: Reason<Text>
  details: Details
}

/** Builds a reason. Of a message alone, the last part of its code is the reason's: `rebalance.run.NotScheduled`. */
export function because(text: Message): Reason<Message>
export function because<Text extends Message | string>(code: string, text: Text): Reason<Text>
export function because(...given: [Message] | [string, Message | string]): Reason<Message | string> {
  if (given.length === 2) return { code: given[0], text: given[1] }
  const [text] = given
  return { code: text.code.slice(text.code.lastIndexOf('.') + 1), text }
}

/** `3`, `10%` of a whole: how many that is, rounded up for shares; undefined when the text is neither. */
export function amountOf(value: number | string, whole: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined
  const match = /^(\d+)(%?)$/.exec(value)
  if (!match) return undefined
  const amount = Number(match[1])
  if (!match[2]) return amount
  return Math.ceil((Math.min(100, amount) * whole) / 100)
}

/** Renders a message in English, for fields of objects that carry text. */
export type InEnglish = (text: Message | string) => string
