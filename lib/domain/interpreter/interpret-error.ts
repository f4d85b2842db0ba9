/** The object cannot be read as its kind demands. Callers report it in an event and go on with other objects. */
export class InterpretError extends Error {
  override readonly name = 'InterpretError'
}
