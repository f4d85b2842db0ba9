/**
 * Messages as data: what the domain decides and the API sends is a code with arguments, never a sentence. The catalogue
 * of the reader's locale turns it into text (text.ts).
 */
import type { GetICUArgs } from '@schummar/icu-type-parser'
import type { Catalogue } from './en'

/** A key of the catalogue. */
export type MessageCode = keyof Catalogue & string

/** A value that is written in the reader's locale: `{ ms: 90_000 }` is "1 m 30 s". */
export type Quantity =
  | { readonly ms: number }
  /** A moment, RFC 3339, as a time of day in the reader's zone. */
  | { readonly time: string }
  /** A moment, RFC 3339, with its date. */
  | { readonly moment: string }
  | { readonly bytes: number }
  /** Milli-CPU, as cores. */
  | { readonly cpu: number }
  /** A difference, always with its sign. */
  | { readonly delta: number }
  /** A share of 1, as a percentage. */
  | { readonly share: number }

/** An argument of a message: a word, a number, a quantity, another message, or a list of those ("a, b and c"). */
export type Value = string | number | Quantity | Message | readonly Value[]

/** Arguments of one text of the catalogue, by the ICU types in it. */
type ArgsOfText<T extends string> = GetICUArgs<
  T,
  { ICUArgument: Value; ICUNumberArgument: number; ICUDateArgument: Date }
>

/** The arguments that a code needs. */
export type ArgsOf<K extends MessageCode> = ArgsOfText<Catalogue[K]>

/** None for a text without arguments, else exactly one object. */
export type ArgsParameter<K extends MessageCode> = keyof ArgsOf<K> extends never ? [] : [args: ArgsOf<K>]

/** A code with its arguments, as plain data that survives JSON. */
export interface Message {
  readonly code: MessageCode
  readonly args?: Readonly<Record<string, Value>>
}

/** Makes a message; the compiler checks code and arguments against the English catalogue. */
export function message<K extends MessageCode>(code: K, ...[args]: ArgsParameter<K>): Message {
  return args === undefined ? { code } : { code, args: args as Record<string, Value> }
}

/** Reports whether a value is a message; texts of old journals and of Kubernetes objects are plain strings. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && typeof (value as Message).code === 'string'
