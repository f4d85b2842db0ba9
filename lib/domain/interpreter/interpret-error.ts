/** The object cannot be read as its kind demands. Callers report it in an event and go on with other objects. */
export class InterpretError extends Error {
  override readonly name: string = 'InterpretError'
}

/** The script could not be asked now, whatever the object says: it is asked again later. */
export class ScriptUnavailable extends InterpretError {
  override readonly name = 'ScriptUnavailable'
}
