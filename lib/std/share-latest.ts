/** Shares results among equal inputs. */

const REMEMBERED = 8

/**
 * Returns the function with one result for equal inputs, as long as it is one of the latest few. For results that
 * thousands of objects have in common: equal copies take memory, and none stays in the processor's cache.
 */
export function shareLatest<T extends object, R>(
  make: (input: T) => R,
  isSame: (a: T, b: T) => boolean,
): (input: T) => R {
  const latest: { input: T; result: R }[] = []
  return (input) => {
    for (const one of latest) if (one.input === input || isSame(one.input, input)) return one.result
    const result = make(input)
    latest.unshift({ input, result })
    latest.length = Math.min(latest.length, REMEMBERED)
    return result
  }
}
