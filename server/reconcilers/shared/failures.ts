/** Joins the messages of several failures of one reconcile, in brackets. */
export function messagesOf(errors: readonly unknown[]): string {
  return `[${errors.map((error) => (error instanceof Error ? error.message : String(error))).join(', ')}]`
}
