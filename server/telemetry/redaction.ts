/**
 * Removes secrets from log lines in two ways: fields named like a secret are never printed, and texts that look like a
 * secret are removed from every line, because error messages of other code may contain them.
 */

/** The replacement. */
export const REDACTED = '[redacted]'

const NAMES = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'accessToken',
  'refreshToken',
  'idToken',
  'password',
  'secret',
  'clientSecret',
  'client_secret',
  'code_verifier',
  'codeVerifier',
  'sessionSecret',
  'key-data',
]

/** Paths for pino: the names at the top and up to three objects deep. */
export const secretPaths: readonly string[] = NAMES.flatMap((name) => {
  const field = `["${name}"]`
  return [field, `*${field}`, `*.*${field}`, `*.*.*${field}`]
})

const SECRETS: readonly [RegExp, string][] = [
  // RFC 6750 and RFC 7617, wherever they are quoted.
  [/\b(Bearer|Basic)(\s+)[\w.~+/=-]{6,}/gi, `$1$2${REDACTED}`],
  // A JSON web token (RFC 7519): service account tokens, ID tokens.
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, REDACTED],
  // The seal of a session cookie.
  [/\bFe26\.2\*[^\s"',;}]+/g, REDACTED],
  // Parameters of an address or a form.
  [
    /([?&\s"'](?:access_token|refresh_token|id_token|token|code|code_verifier|client_secret|password)=)[^&\s"'\\]+/gi,
    `$1${REDACTED}`,
  ],
  // A field of JSON, also of JSON that is quoted within a text.
  [
    /(\\*"(?:access_?token|refresh_?token|id_?token|token|code_?verifier|client_?secret|password|session_?secret)\\*"\s*:\s*\\*")[^"\\]+/gi,
    `$1${REDACTED}`,
  ],
  // The user part of an address: redis://user:password@host.
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s:@/"']*:)[^\s@/"']+@/gi, `$1${REDACTED}@`],
  // The content of a PEM block with a key.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g, REDACTED],
]

/** The line without texts that look like a secret. A JSON line stays valid JSON. */
export function withoutSecrets(line: string): string {
  return SECRETS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line)
}
