import { randomBytes } from 'node:crypto'
import type { AuditLog, Bff } from '@/server/bff'
import { createLogin, type Login } from '@/server/bff/auth/login'
import type { SharedStore } from '@/server/bff/shared/store'
import { sessionSecret } from '@/server/embedded/credentials'
import type { Composition } from './composition'

/** Login. State shared between instances is in `store`. */
export function openLogin(composition: Composition, { store, audit }: { store: SharedStore; audit: AuditLog }): Login {
  const {
    config: { login },
    plane: { user },
    parts: { client, clock, log, metrics },
    stops,
  } = composition
  if (login.openToOthers) {
    log.warn({}, 'login is off, and other machines reach the console: every client acts with all its rights')
  }
  const secrets = login.required && login.secrets.length === 0 ? [ownSecret(composition)] : login.secrets
  const settings = { ...login, secrets }
  const made = createLogin({ client, clock, log: log.child({ part: 'login' }), store, metrics, audit, user, settings })
  stops.unshift(async () => made.authenticator.close())
  return made
}

function ownSecret({ config, plane, parts: { log } }: Composition): string {
  if (plane.mode === 'embedded') return sessionSecret(config.dataDir)
  log.warn(
    {},
    'sessions end with this process, and no other instance knows them: '
      + 'set EVENKEEL_SESSION_SECRET to the same secret everywhere',
  )
  return randomBytes(32).toString('base64url')
}

/** The redirects of the identity provider are outside of the API. */
export function behindLogin(bff: Bff, login: Login): Bff {
  const handle: Bff['handle'] = async (request, response) =>
    (bff.foreign(request) === undefined && (await login.handle(request, response))) || bff.handle(request, response)
  return { ...bff, handle }
}
