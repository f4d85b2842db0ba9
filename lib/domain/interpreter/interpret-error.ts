/**
 * Reports that an object does not have the form of its kind. Callers record an event and continue with other objects.
 */
export class InterpretError extends Error {
  override readonly name: string = 'InterpretError'
}

/** Reports that a script cannot run at present, independently of the object. Callers retry later. */
export class ScriptUnavailable extends InterpretError {
  override readonly name = 'ScriptUnavailable'
}
