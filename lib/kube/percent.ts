/** Shares of a whole, as `25%` is written. */
import { err, ok, type Result } from '@/lib/std/result'

/** A whole number, as `strconv.Atoi` reads it. */
const WHOLE = /^[+-]?\d+$/

/**
 * Form of a share: `strict` requires exactly one `%` at the end; `lenient` ignores every `%`, so that `5` means 5 %.
 */
export type ShareParser = 'strict' | 'lenient'

/** Parses a percentage. */
export function parsePercent(text: string, parser: ShareParser): Result<number> {
  if (parser === 'strict' && !text.endsWith('%')) return err(`invalid value ${JSON.stringify(text)}: not a percentage`)
  const digits = parser === 'strict' ? text.slice(0, -1) : text.replaceAll('%', '')
  return WHOLE.test(digits) ? ok(Number(digits)) : err(`invalid value ${JSON.stringify(text)}: not a whole percentage`)
}
