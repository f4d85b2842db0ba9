import { randomBytes } from 'node:crypto'
import type { AuditLog, Bff } from '@/server/bff'
import { createLogin, type Login } from '@/server/bff/auth/login'
import type { SharedStore } from '@/server/bff/shared/store'
import { sessionSecret } from '@/server/embedded/credentials'
import type { TwinMark } from '@/lib/view/login'
import type { Composition } from './composition'
import type { Twin } from './twin'

/** Opens the login. `store` has the state that instances share. */
export function openLogin(composition: Composition, { store, audit }: { store: SharedStore; audit: AuditLog }): Login {
  const {
    config: { login, controlPlanes },
    plane: { user },
    parts: { client, clock, log, metrics },
    stops,
    twin,
  } = composition
  if (login.openToOthers) {
    log.warn(
      {},
      'login is disabled and the console is reachable from other machines: every client acts with all rights of Evenkeel',
    )
  }
  const secrets = login.required && login.secrets.length === 0 ? [ownSecret(composition)] : login.secrets
  const settings = { ...login, secrets }
  const made = createLogin({
    client,
    clock,
    log: log.child({ part: 'login' }),
    store,
    metrics,
    audit,
    user,
    settings,
    marks: { ...(twin && { twin: markOf(twin) }), ...(controlPlanes.length > 0 && { controlPlanes }) },
  })
  stops.unshift(async () => made.authenticator.close())
  return made
}

const markOf = ({ source, takenAt }: Twin): TwinMark => ({ source, takenAt })

function ownSecret({ config, plane, parts: { log } }: Composition): string {
  if (plane.mode === 'embedded') return sessionSecret(config.dataDir)
  log.warn(
    {},
    'no session secret is set: sessions end with this process and are unknown to other instances; '
      + 'set EVENKEEL_SESSION_SECRET to the same secret on every instance',
  )
  return randomBytes(32).toString('base64url')
}

/** Routes requests to the login first, because the identity provider redirects to paths outside of the API. */
export function behindLogin(bff: Bff, login: Login): Bff {
  const handle: Bff['handle'] = async (request, response) =>
    (bff.foreign(request) === undefined && (await login.handle(request, response))) || bff.handle(request, response)
  return { ...bff, handle }
}
