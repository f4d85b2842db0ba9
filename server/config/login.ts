/** Parses flags and environment variables of the login. */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { message } from '@/lib/messages/message'
import { parseDuration } from '@/lib/std/duration'
import { isLoopback } from '@/server/apiserver'
import type { OidcSettings } from '@/server/bff/auth/oidc/settings'
import { ConfigError } from './config-error'

/** Login mode and session limits. */
export interface LoginConfig {
  /** False: every client acts with the identity of the console. */
  required: boolean
  /** No login although other machines can reach the console. Must be set explicitly, and is logged as a warning. */
  openToOthers: boolean
  readOnly: boolean
  /** URL under which browsers reach the console: scheme, host and port. */
  publicUrl: string | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: BlockList
  /** Sessions end after this time without user input; undefined: never. */
  idleMs: number | undefined
  lastsMs: number
  /** Session secrets; if empty, one is created. The first one encrypts, all of them decrypt. Never logged or shown. */
  secrets: readonly string[]
  oidc: OidcSettings | undefined
  /** Content of `/.well-known/security.txt`; undefined: not served. */
  security: { contact: string; policy: string | undefined } | undefined
}

export const loginFlags = {
  login: { env: 'EVENKEEL_LOGIN', fallback: 'auto' },
  'public-url': { env: 'EVENKEEL_PUBLIC_URL' },
  'security-contact': { env: 'EVENKEEL_SECURITY_CONTACT' },
  'security-policy': { env: 'EVENKEEL_SECURITY_POLICY' },
  'trusted-proxies': { env: 'EVENKEEL_TRUSTED_PROXIES' },
  'session-idle-timeout': { env: 'EVENKEEL_SESSION_IDLE_TIMEOUT', fallback: '30m' },
  'session-timeout': { env: 'EVENKEEL_SESSION_TIMEOUT', fallback: '12h' },
  'oidc-issuer-url': { env: 'EVENKEEL_OIDC_ISSUER_URL' },
  'oidc-client-id': { env: 'EVENKEEL_OIDC_CLIENT_ID' },
  'oidc-client-secret-file': { env: 'EVENKEEL_OIDC_CLIENT_SECRET_FILE' },
  'oidc-scopes': { env: 'EVENKEEL_OIDC_SCOPES' },
  'oidc-username-claim': { env: 'EVENKEEL_OIDC_USERNAME_CLAIM', fallback: 'sub' },
  'oidc-username-prefix': { env: 'EVENKEEL_OIDC_USERNAME_PREFIX' },
  'oidc-groups-claim': { env: 'EVENKEEL_OIDC_GROUPS_CLAIM', fallback: 'groups' },
  'oidc-groups-prefix': { env: 'EVENKEEL_OIDC_GROUPS_PREFIX', fallback: '' },
}

type LoginFlag = keyof typeof loginFlags

export interface LoginSources {
  read: (name: LoginFlag) => string | undefined
  env: Readonly<Record<string, string | undefined>>
  host: string
  port: number
  readOnly: boolean
  /** Reports whether the console is connected to a real control plane. */
  connected: boolean
}

/**
 * Throws ConfigError. Secrets are read from the environment or from files only, because other users can see the
 * arguments of a process.
 */
export function readLogin(sources: LoginSources): LoginConfig {
  const { read, env, host, port } = sources
  const oidc = readOidc(sources)
  const required = isRequired(sources, oidc !== undefined)
  const publicUrl = readPublicUrl(read('public-url'))
  if (oidc && publicUrl === undefined && !isLoopback(host))
    throw new ConfigError(message('config.error.publicUrlNeeded', { flag: flagText('public-url') }))
  return {
    required,
    openToOthers: !required && !isLoopback(host),
    readOnly: sources.readOnly,
    publicUrl: publicUrl ?? (oidc ? `http://${host.includes(':') ? `[${host}]` : host}:${port}` : undefined),
    proxies: readProxies(read('trusted-proxies')),
    ...readTimeouts(read),
    secrets: readSecrets(env.EVENKEEL_SESSION_SECRET),
    oidc,
    security: readSecurity(read),
  }
}

function readSecurity(read: LoginSources['read']): LoginConfig['security'] {
  const [contact, policy] = [read('security-contact'), read('security-policy')]
  if (contact !== undefined && !/^(https|mailto|tel):[!-~]+$/.test(contact))
    throw invalid('security-contact', contact, 'contact')
  if (policy !== undefined && !/^https:[!-~]+$/.test(policy)) throw invalid('security-policy', policy, 'https')
  return contact === undefined ? undefined : { contact, policy }
}

const flagText = (name: LoginFlag): string => `--${name} (${loginFlags[name].env})`

type Expected = 'contact' | 'https' | 'publicUrl' | 'proxies' | 'timeout' | 'issuer'

const invalid = (name: LoginFlag, value: string, expected: Expected): ConfigError =>
  new ConfigError(message(`config.error.${expected}`, { flag: flagText(name), value }))

/** A login is required in a pod even on loopback, which other users can reach by port-forwarding. */
function isRequired({ read, env, host, connected }: LoginSources, byProvider: boolean): boolean {
  const wanted = read('login')
  if (wanted === 'required') return true
  if (wanted === 'none') {
    if (byProvider) throw new ConfigError(message('config.error.loginNone', { flag: flagText('login') }))
    return false
  }
  if (wanted !== 'auto') {
    const choices = 'auto, none, required'
    throw new ConfigError(message('config.error.choice', { flag: flagText('login'), choices, value: wanted ?? '' }))
  }
  return byProvider || !isLoopback(host) || (connected && env.KUBERNETES_SERVICE_HOST !== undefined)
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const plain =
    url
    && /^https?:$/.test(url.protocol)
    && url.pathname === '/'
    && url.search === ''
    && url.hash === ''
    && url.username === ''
  if (!plain) throw invalid('public-url', text, 'publicUrl')
  return url.origin
}

function readProxies(text = ''): BlockList {
  const proxies = new BlockList()
  for (const entry of listOf(text)) {
    const [address = '', bits, more] = entry.split('/')
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    const prefix = bits === undefined ? most : Number(bits)
    const fits = family !== 0 && more === undefined && /^\d+$/.test(bits ?? '0') && prefix <= most
    if (!fits) throw invalid('trusted-proxies', entry, 'proxies')
    proxies.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return proxies
}

function readTimeouts(read: LoginSources['read']): Pick<LoginConfig, 'idleMs' | 'lastsMs'> {
  const idle = read('session-idle-timeout') ?? ''
  return {
    idleMs: idle === 'never' ? undefined : readDuration('session-idle-timeout', idle),
    lastsMs: readDuration('session-timeout', read('session-timeout') ?? ''),
  }
}

function readDuration(name: LoginFlag, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined || duration < 1000) throw invalid(name, text, 'timeout')
  return duration
}

const MIN_SECRET_LENGTH = 32

function readSecrets(text = ''): string[] {
  const secrets = listOf(text)
  if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH)) {
    throw new ConfigError(message('config.error.sessionSecret', { length: MIN_SECRET_LENGTH }))
  }
  return secrets
}

function readOidc({ read, env }: LoginSources): OidcSettings | undefined {
  const issuer = read('oidc-issuer-url')
  if (issuer === undefined) return undefined
  if (!isIssuer(issuer)) throw invalid('oidc-issuer-url', issuer, 'issuer')
  const clientId = read('oidc-client-id')
  if (clientId === undefined)
    throw new ConfigError(message('config.error.clientId', { flag: flagText('oidc-client-id') }))
  const clientSecret = readClientSecret(env.EVENKEEL_OIDC_CLIENT_SECRET || undefined, read('oidc-client-secret-file'))
  const [scopes, prefix] = [read('oidc-scopes'), read('oidc-username-prefix')]
  return {
    issuer,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes: listOf(scopes) }),
    usernameClaim: read('oidc-username-claim') ?? 'sub',
    ...(prefix !== undefined && { usernamePrefix: prefix }),
    groupsClaim: read('oidc-groups-claim') ?? 'groups',
    groupsPrefix: read('oidc-groups-prefix') ?? '',
  }
}

/** Reports whether the URL is a valid issuer. Plain HTTP is allowed on loopback only, for tests. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  if (search !== '' || hash !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname.replace(/^\[|\]$/g, '')))
}

function readClientSecret(given: string | undefined, file: string | undefined): string | undefined {
  if (file === undefined) return given
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(
      message('config.error.secretFile', {
        flag: flagText('oidc-client-secret-file'),
        error: error instanceof Error ? error.message : String(error),
      }),
    )
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}
