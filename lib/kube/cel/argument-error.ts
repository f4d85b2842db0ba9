/** Thrown by library functions for arguments that they cannot work with; the text is the evaluation's error. */
export class CelArgumentError extends Error {
  override readonly name = 'CelArgumentError'
}
