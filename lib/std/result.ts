/** A value or the reason for its absence, for expected failures. */
export type Result<T, E = string> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** Success. */
export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value }
}

/** Failure, with its reason. */
export function err<E>(error: E): Result<never, E> {
  return { ok: false, error }
}
