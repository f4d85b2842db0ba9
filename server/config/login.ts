/** Flags and environment of login. */
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { isLoopback } from '@/server/apiserver'
import type { OidcSettings } from '@/server/bff/auth/oidc/settings'
import { ConfigError } from './config-error'
import { parseDuration } from './duration'

/** Whether and how users log in, and for how long. */
export interface LoginConfig {
  /** False: every client acts as the console itself. */
  required: boolean
  /** No login although other machines can reach the console: set explicitly, and logged as a warning. */
  openToOthers: boolean
  readOnly: boolean
  /** Where browsers reach the console: scheme, host and port. */
  publicUrl: string | undefined
  /** Proxies whose `X-Forwarded-For` is trusted. */
  proxies: BlockList
  /** A session without input ends after this time; undefined: never. */
  idleMs: number | undefined
  lastsMs: number
  /** Session secrets; if empty, one is created. The first one seals, all of them open. Never logged or shown. */
  secrets: readonly string[]
  oidc: OidcSettings | undefined
  /** Content of `/.well-known/security.txt`; undefined: not served. */
  security: { contact: string; policy: string | undefined } | undefined
}

export const loginFlags = {
  login: {
    env: 'EVENKEEL_LOGIN',
    fallback: 'auto',
    help: '"required", "none", or "auto": none on loopback, else required',
  },
  'public-url': {
    env: 'EVENKEEL_PUBLIC_URL',
    help: 'where browsers reach the console, for instance https://evenkeel.example; needed for OIDC beyond loopback',
  },
  'security-contact': {
    env: 'EVENKEEL_SECURITY_CONTACT',
    help: 'where to report a vulnerability, an https:, mailto: or tel: address, told at /.well-known/security.txt; default: none',
  },
  'security-policy': {
    env: 'EVENKEEL_SECURITY_POLICY',
    help: 'where your disclosure policy is, an https: address, told beside --security-contact',
  },
  'trusted-proxies': {
    env: 'EVENKEEL_TRUSTED_PROXIES',
    help: 'addresses and networks of proxies whose X-Forwarded-For is believed, comma-separated',
  },
  'session-idle-timeout': {
    env: 'EVENKEEL_SESSION_IDLE_TIMEOUT',
    fallback: '30m',
    help: 'a session that nobody uses ends after this; "never" keeps it',
  },
  'session-timeout': { env: 'EVENKEEL_SESSION_TIMEOUT', fallback: '12h', help: 'no session lasts longer' },
  'oidc-issuer-url': {
    env: 'EVENKEEL_OIDC_ISSUER_URL',
    help: 'identity provider; its issuer, as its ID tokens name it',
  },
  'oidc-client-id': {
    env: 'EVENKEEL_OIDC_CLIENT_ID',
    help: 'how the identity provider knows this console; its secret comes in EVENKEEL_OIDC_CLIENT_SECRET or a file',
  },
  'oidc-client-secret-file': { env: 'EVENKEEL_OIDC_CLIENT_SECRET_FILE', help: 'file with the secret of the client' },
  'oidc-scopes': {
    env: 'EVENKEEL_OIDC_SCOPES',
    help: 'what to ask for, comma-separated; default: openid, profile, email, and groups and offline_access where they are offered',
  },
  'oidc-username-claim': { env: 'EVENKEEL_OIDC_USERNAME_CLAIM', fallback: 'sub', help: 'claim that names the user' },
  'oidc-username-prefix': {
    env: 'EVENKEEL_OIDC_USERNAME_PREFIX',
    help: 'stands before the name; "-" for none; default: the issuer and #, for the claim email none',
  },
  'oidc-groups-claim': { env: 'EVENKEEL_OIDC_GROUPS_CLAIM', fallback: 'groups', help: 'claim that names the groups' },
  'oidc-groups-prefix': { env: 'EVENKEEL_OIDC_GROUPS_PREFIX', fallback: '', help: 'stands before each group' },
}

type LoginFlag = keyof typeof loginFlags

export interface LoginSources {
  read: (name: LoginFlag) => string | undefined
  env: Readonly<Record<string, string | undefined>>
  host: string
  port: number
  readOnly: boolean
  /** Connected to a real control plane. */
  connected: boolean
}

/**
 * Throws ConfigError. Secrets are read from the environment or files only, because arguments of a process are visible
 * to others.
 */
export function readLogin(sources: LoginSources): LoginConfig {
  const { read, env, host, port } = sources
  const oidc = readOidc(sources)
  const required = isRequired(sources, oidc !== undefined)
  const publicUrl = readPublicUrl(read('public-url'))
  if (oidc && publicUrl === undefined && !isLoopback(host))
    throw unusable('public-url', 'is needed for login with an identity provider, which sends browsers back there')
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
    throw unusable('security-contact', `must be an https:, mailto: or tel: address, not "${contact}"`)
  if (policy !== undefined && !/^https:[!-~]+$/.test(policy))
    throw unusable('security-policy', `must be an https: address, not "${policy}"`)
  return contact === undefined ? undefined : { contact, policy }
}

function unusable(name: LoginFlag, why: string): ConfigError {
  return new ConfigError(`--${name} (${loginFlags[name].env}) ${why}`)
}

/** In a pod, other users can reach loopback by port-forwarding. */
function isRequired({ read, env, host, connected }: LoginSources, byProvider: boolean): boolean {
  const wanted = read('login')
  if (wanted === 'required') return true
  if (wanted === 'none') {
    if (byProvider)
      throw unusable('login', 'is "none", but --oidc-issuer-url names an identity provider: leave one of them out')
    return false
  }
  if (wanted !== 'auto') throw unusable('login', `must be one of auto, none, required, not "${wanted}"`)
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
  if (!plain)
    throw unusable('public-url', `must be an address without a path such as https://evenkeel.example, not "${text}"`)
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
    if (!fits) throw unusable('trusted-proxies', `takes addresses and networks such as 10.0.0.0/8, not "${entry}"`)
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
  if (duration === undefined || duration < 1000)
    throw unusable(name, `must be a duration of a second or more such as 30m or 12h, not "${text}"`)
  return duration
}

const SHORTEST_SECRET = 32

function readSecrets(text = ''): string[] {
  const secrets = listOf(text)
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET)) {
    throw new ConfigError(
      `EVENKEEL_SESSION_SECRET must hold secrets of ${SHORTEST_SECRET} characters or more, the newest first, separated by commas`,
    )
  }
  return secrets
}

function readOidc({ read, env }: LoginSources): OidcSettings | undefined {
  const issuer = read('oidc-issuer-url')
  if (issuer === undefined) return undefined
  if (!isIssuer(issuer))
    throw unusable('oidc-issuer-url', `must be an address with https such as https://login.example, not "${issuer}"`)
  const clientId = read('oidc-client-id')
  if (clientId === undefined) throw unusable('oidc-client-id', 'is needed with --oidc-issuer-url')
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

/** Plain http is for loopback only, for tests. */
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
    throw unusable(
      'oidc-client-secret-file',
      `cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
}
