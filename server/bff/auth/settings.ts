/** Settings of the login, read from flags and environment by `server/config`. */
import type { BlockList } from 'node:net'
import type { OidcSettings } from './oidc/settings'

export interface LoginSettings {
  /** False: without login, every request uses the console's own credentials. */
  required: boolean
  readOnly: boolean
  /** The address of the console for browsers, without a path; required for login with an identity provider. */
  publicUrl?: string
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: BlockList
  /** A session without activity for this time ends; undefined: never. */
  idleMs: number | undefined
  /** Maximum lifetime of a session. */
  lastsMs: number
  /** The first secret seals sessions, all of them open them. */
  secrets: readonly string[]
  oidc?: OidcSettings
}
