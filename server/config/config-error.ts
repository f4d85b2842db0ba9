/** An invalid flag or variable; the message names it and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
