/** Login as schemas, for the HTTP API and its document. Apart from `login.ts`, which browsers load at first paint. */
import { z } from 'zod'

export const loginWaySchema = z.enum(['token', 'oidc'])

/** POST /api/v1/session. Tokens of Kubernetes are far shorter than what is taken. */
export const tokenLoginBody = z.strictObject({
  token: z.string().trim().min(1, 'api.invalid.empty').max(16_384, 'api.invalid.tokenTooLong'),
})

/** GET /api/v1/session: who is asking, and until when. */
export const sessionViewSchema = z.object({
  user: z.string(),
  groups: z.array(z.string()),
  /** `local`: users do not log in; the console acts with its own identity. */
  via: z.enum(['local', 'bearer', 'token', 'oidc']),
  /** Epoch milliseconds; the session ends then whatever happens. Absent where it does not end. */
  expiresAt: z.number().optional(),
  idle: z
    .object({
      /** Without any action for so long the session ends. */
      timeoutMs: z.number(),
      /** How often a browser that is in use says so. */
      renewEveryMs: z.number(),
    })
    .optional(),
  /** True when the console refuses every change, independent of the rights of the user. */
  readOnly: z.boolean(),
  canLogout: z.boolean(),
  loginWays: z.array(loginWaySchema),
  /** Present if the control plane is a copy, which every page says. */
  twin: z.object({ source: z.string(), takenAt: z.string() }).optional(),
})

/** GET /api/v1/login: what the login page shows to who is not known yet. */
export const loginViewSchema = z.object({
  /** False when users do not have to log in. */
  required: z.boolean(),
  ways: z.array(loginWaySchema),
  /** Whose login `oidc` leads to: the host of the identity provider. */
  provider: z.string().optional(),
  /** What became of the session that this browser still shows, as a sentence. */
  notice: z.string().optional(),
})

/** Answer to a logout. `continueAt`: where the identity provider ends its own session. */
export const loggedOutSchema = z.object({ continueAt: z.string().optional() })
