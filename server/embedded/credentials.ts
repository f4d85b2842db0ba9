/**
 * The secrets of the embedded control plane: created once, stored in the data directory, readable by its owner only.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { EpochMs } from '@/lib/std/clock'
import {
  FRONT_PROXY,
  isLoopback,
  issueClientCertificate,
  type KeyPair,
  newAccountKey,
  newAuthority,
  selfSigned,
} from '@/server/apiserver'
import { replaceFileSync } from '@/server/files/replace-file'

/** A bearer token and its identity. */
export interface Credential {
  token: string
  user: string
  groups: readonly string[]
}

/** A user of one namespace; roles and bindings grant the rights. */
export interface TenantCredential extends Credential {
  namespace: string
}

/** The tenants of the demonstration. Roles and bindings for their groups are in `demo.yaml`. */
const TENANTS: readonly Omit<TenantCredential, 'token'>[] = [
  { user: 'shop-admin', groups: ['shop'], namespace: 'shop' },
  { user: 'lab-admin', groups: ['lab'], namespace: 'lab' },
]

/** The administrator's credential; the same at every start on the same data directory. */
export function adminCredential(dataDir: string): Credential {
  return { token: tokenIn(dataDir, 'admin-token'), user: 'admin', groups: ['system:masters'] }
}

/** The tenants' credentials; the same at every start on the same data directory. */
export function tenantCredentials(dataDir: string): TenantCredential[] {
  return TENANTS.map((tenant) => ({ ...tenant, token: tokenIn(dataDir, `${tenant.user}-token`) }))
}

function tokenIn(dataDir: string, name: string): string {
  return keptIn(dataDir, name, () => randomBytes(24).toString('base64url')).trim()
}

/** The key (PEM) that signs the tokens of service accounts. */
export function accountKey(dataDir: string): string {
  return keptIn(dataDir, 'service-account-key.pem', newAccountKey)
}

/** The session secret, so that sessions survive a restart. */
export function sessionSecret(dataDir: string): string {
  return tokenIn(dataDir, 'session-secret')
}

/** The authority for client certificates. */
export function clientAuthority(dataDir: string, now: EpochMs): Promise<KeyPair> {
  return keyPairIn(dataDir, 'client-authority.json', () => newAuthority(now))
}

/** With what the server connects to aggregated API servers: its certificate, and the authority that signed it. */
export async function frontProxy(dataDir: string, now: EpochMs): Promise<{ identity: KeyPair; authority: string }> {
  const authority = await keyPairIn(dataDir, 'front-proxy-authority.json', () =>
    newAuthority(now, 'evenkeel-front-proxy'),
  )
  const client = { user: FRONT_PROXY, groups: [], now, days: FRONT_PROXY_DAYS }
  const identity = await keyPairIn(dataDir, 'front-proxy.json', () => issueClientCertificate(authority, client))
  return { identity, authority: authority.cert }
}

const FRONT_PROXY_DAYS = 3650

/** The self-signed certificate for this host; the same at every start on the same data directory. */
export function serverKeyPair(dataDir: string, host: string, now: EpochMs): Promise<KeyPair> {
  return keyPairIn(dataDir, `tls-${host.replaceAll(':', '_')}.json`, () => selfSigned({ hosts: namesOf(host), now }))
}

/**
 * The self-signed certificate of the admission webhooks; the same at every start on the same data directory, which is
 * created beside a real control plane, too.
 */
export function webhookKeyPair(dataDir: string, host: string, now: EpochMs): Promise<KeyPair> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const hosts = [...new Set([host, 'localhost', '127.0.0.1'])]
  return keyPairIn(dataDir, `webhook-${host.replaceAll(':', '_')}.json`, () => selfSigned({ hosts, now }))
}

async function keyPairIn(dataDir: string, name: string, make: () => Promise<KeyPair>): Promise<KeyPair> {
  const file = join(dataDir, name)
  if (!existsSync(file)) replaceFileSync(file, JSON.stringify(await make()))
  return JSON.parse(readFileSync(file, 'utf8')) as KeyPair
}

/** A key pair as in a mounted kubernetes.io/tls Secret. Throws with the file name if a file cannot be read. */
export function mountedKeyPair(folder: string): KeyPair {
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name), 'utf8')) as [string, string]
  return { cert, key }
}

/** Names in the server's certificate. An exposed server has those of this machine. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return [...new Set([host, 'localhost'])]
  const addresses = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  return [...new Set([host, 'localhost', '127.0.0.1', '::1', hostname(), ...addresses])]
}

function keptIn(dataDir: string, name: string, make: () => string): string {
  const file = join(dataDir, name)
  if (!existsSync(file)) replaceFileSync(file, make())
  return readFileSync(file, 'utf8')
}
