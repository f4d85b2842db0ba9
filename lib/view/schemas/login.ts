/**
 * Schemas of the login, for the HTTP API and its document. Separate from `login.ts`, which browsers load at first
 * paint.
 */
import { z } from 'zod'

export const loginWaySchema = z.enum(['token', 'oidc'])

/** POST /api/v1/session. The limit is far above the length of Kubernetes tokens. */
export const tokenLoginBody = z.strictObject({
  token: z.string().trim().min(1, 'api.invalid.empty').max(16_384, 'api.invalid.tokenTooLong'),
})

/** GET /api/v1/session: the current user, and the end of the session. */
export const sessionViewSchema = z.object({
  user: z.string(),
  groups: z.array(z.string()),
  /** `local`: no login; the console acts with its own identity. */
  via: z.enum(['local', 'bearer', 'token', 'oidc']),
  /** Epoch milliseconds: fixed end of the session. Absent if it does not end. */
  expiresAt: z.number().optional(),
  idle: z
    .object({
      /** The session ends after this time without user input. */
      timeoutMs: z.number(),
      /** Interval at which an active browser renews the session. */
      renewEveryMs: z.number(),
    })
    .optional(),
  /** True if the console refuses every change, regardless of the user's permissions. */
  readOnly: z.boolean(),
  canLogout: z.boolean(),
  loginWays: z.array(loginWaySchema),
  /** Present if the control plane is a twin, which every page shows. */
  twin: z.object({ source: z.string(), takenAt: z.string() }).optional(),
  /** The control planes of the operator, each with a console of its own; the one without a URL is this one. */
  controlPlanes: z.array(z.object({ name: z.string(), url: z.string().optional() })).optional(),
})

/** GET /api/v1/login: content of the login page before a login. */
export const loginViewSchema = z.object({
  /** False if no login is required. */
  required: z.boolean(),
  ways: z.array(loginWaySchema),
  /** Host of the identity provider for `oidc`. */
  provider: z.string().optional(),
  /** Why the session of this browser ended, as a sentence. */
  notice: z.string().optional(),
})

/** Answer to a logout. `continueAt`: URL at which the identity provider ends its own session. */
export const loggedOutSchema = z.object({ continueAt: z.string().optional() })
