/** Turns "this throws" into a value that can be compared with a recorded error. */
export function attempt<T extends object>(run: () => T, onError: object = {}): T | (object & { error: true }) {
  try {
    return run()
  } catch {
    return { ...onError, error: true }
  }
}
