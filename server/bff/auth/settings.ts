/** How people log in here; read from flags and environment by `server/config`. */
import type { BlockList } from 'node:net'
import type { OidcSettings } from './oidc/settings'

export interface LoginSettings {
  /** False: without login, every request uses the console's own credentials. */
  required: boolean
  readOnly: boolean
  /** Where browsers reach the console, without a path; needed for login with an identity provider. */
  publicUrl?: string
  /** Proxies whose `X-Forwarded-For` is believed. */
  proxies: BlockList
  /** Without any action for so long a session ends; undefined: never. */
  idleMs: number | undefined
  /** No session lasts longer. */
  lastsMs: number
  /** The first seals sessions, all of them open them. */
  secrets: readonly string[]
  oidc?: OidcSettings
}
