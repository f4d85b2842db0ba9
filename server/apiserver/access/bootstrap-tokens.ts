/** Bootstrap tokens: Secrets with which a cluster that joins authenticates before it has a certificate. */
import { timingSafeEqual } from 'node:crypto'
import type { Secret } from '@/lib/kube/kinds'
import { AUTHENTICATED } from '@/lib/kube/rbac/names'
import { decodeBase64 } from '@/lib/std/base64'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'
import type { Caller } from '../call'
import type { Entry, Store } from '../store/store'

const PREFIX = 'bootstrap-token-'
const TYPE = 'bootstrap.kubernetes.io/token'
export const BOOTSTRAP_NAMESPACE = 'kube-system'
const BOOTSTRAPPERS = 'system:bootstrappers'
const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/

/** A token that a Secret holds. */
export interface BootstrapToken {
  id: string
  secret: string
  expiration: string
  usages: { authentication: boolean; signing: boolean }
  groups: readonly string[]
}

/** The user of a bootstrap token; undefined for another text, and for a token that is unknown, expired or unusable. */
export function bootstrapCaller(store: Store, text: string, now: EpochMs): Caller | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? []
  if (id === undefined || secret === undefined) return undefined
  const key = `${BOOTSTRAP_NAMESPACE}/${PREFIX}${id}`
  const entry = store.get({ keyspace: '', resource: 'secrets', key })
  const token = entry && entry.value.metadata.deletionTimestamp === undefined ? bootstrapTokenIn(entry) : undefined
  if (!token || token.id !== id || !isSame(token.secret, secret)) return undefined
  if (!token.usages.authentication || hasExpired(token, now)) return undefined
  if (!token.groups.every((group) => GROUP.test(group))) return undefined
  return { user: `system:bootstrap:${id}`, groups: [BOOTSTRAPPERS, ...token.groups, AUTHENTICATED] }
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** The token of a Secret; undefined for a Secret of another type. */
export function bootstrapTokenIn({ value }: Pick<Entry, 'value'>): BootstrapToken | undefined {
  const { type, data = {} } = value as unknown as Secret
  if (type !== TYPE) return undefined
  const read = (name: string): string => decodeBase64(ownField(data, name) ?? '') ?? ''
  return {
    id: read('token-id'),
    secret: read('token-secret'),
    expiration: read('expiration'),
    usages: {
      authentication: read('usage-bootstrap-authentication') === 'true',
      signing: read('usage-bootstrap-signing') === 'true',
    },
    groups: read('auth-extra-groups')
      .split(',')
      .filter((group) => group !== ''),
  }
}

/** True after its time, and for a time that cannot be read. */
export function hasExpired({ expiration }: BootstrapToken, now: EpochMs): boolean {
  return expiration !== '' && !(parseTime(expiration) > now)
}
