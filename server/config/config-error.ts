/** A flag or variable that cannot be used; the message names it and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}
