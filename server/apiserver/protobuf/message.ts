/**
 * How messages are written down here: field numbers and types, as the API publishes them. A type is `s` text,
 * `i` whole number, `b` truth, `x` bytes, `t` time, `q` quantity, `o` number or text, `j` a value as JSON, or the name
 * of a message; `[]` before it is a list, `{}` a map. A message named `=` lends its fields to the one that holds it.
 */

/** `name type`, by field number. */
export type Message = Readonly<Record<number, string>>
