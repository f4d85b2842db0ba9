/** Flags and environment, parsed and validated once, before anything starts. */
import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '@/server/apiserver'
import { ConfigError } from './config-error'
import { parseDuration } from './duration'
import { type LoginConfig, loginFlags, readLogin } from './login'

export { ConfigError }

/** How fast the control loops react. All in milliseconds unless the name says otherwise. */
export interface Timing {
  clusterStatusUpdateMs: number
  clusterSuccessThresholdMs: number
  clusterFailureThresholdMs: number
  /** Not Ready for this long adds a NoExecute taint; undefined: never, as upstream. */
  noExecuteAfterMs: number | undefined
  resourceEvictionPerSecond: number
  gracefulEvictionTimeoutMs: number
}

/** Behaviour that upstream keeps behind gates of these names, off unless asked for. */
export interface FeatureGates {
  PropagationPolicyPreemption: boolean
  WorkloadAffinity: boolean
}

export interface Config {
  host: string
  port: number
  /** Further host names under which the console may be reached, for instance behind a proxy. */
  allowedHosts: readonly string[]
  dataDir: string
  apiPort: number
  /** Address of the embedded API server; beyond loopback only with `apiExposed`, and TLS only. */
  apiHost: string
  apiExposed: boolean
  /** Present: connect to that control plane; absent: run the embedded one. */
  kubeconfig: string | undefined
  context: string | undefined
  /** `apiserver` serves the embedded control plane and its simulated members only. */
  only: 'apiserver' | undefined
  /** Names of the reconcilers to run, `all`, or `none`; undefined: all when embedded, none when connected. */
  reconcilers: readonly string[] | 'all' | 'none' | undefined
  demo: boolean
  /** Where the journal of what was observed is kept; undefined: in memory, until the process ends. */
  journalDir: string | undefined
  journalRetentionMs: number
  /** Where the audit log goes: a file, `-` for the standard output, `none`. */
  auditLog: string
  /** Requests per minute and user; 0: no limit. */
  rateLimits: { queriesPerMinute: number; actionsPerMinute: number }
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** Where traces are sent, over OTLP/HTTP, and the share of them that is recorded; undefined: nothing is traced. */
  tracing: { endpoint: string; ratio: number } | undefined
  /** What several instances of the console share. The address holds a password: it is never told to anybody. */
  redis: { url: string; caFile: string | undefined } | undefined
  timing: Timing
  gates: FeatureGates
  /** Behave exactly as upstream, also where it is plainly wrong. */
  upstream: boolean
  webhooks: WebhookSettings
  login: LoginConfig
}

/** Admission of queues and of what waits in them. */
export interface WebhookSettings {
  /** Where it listens; 0 picks a free port. */
  port: number
  /** How a real control plane reaches it; absent: there is none beside a real control plane. */
  url: string | undefined
  /** A folder with `tls.crt` and `tls.key`; absent: a certificate of its own in the data directory. */
  certDir?: string | undefined
  failurePolicy: 'Fail' | 'Ignore'
}

interface Flag {
  env: string
  fallback?: string
  help: string
}

/** Every setting once: flag, environment variable, default, and what `--help` says. */
const flags = {
  host: { env: 'HOST', fallback: '127.0.0.1', help: 'address of the console' },
  port: { env: 'PORT', fallback: '3000', help: 'port of the console' },
  'allowed-hosts': {
    env: 'EVENKEEL_ALLOWED_HOSTS',
    help: 'further host names of the console, comma-separated (behind a proxy)',
  },
  'data-dir': {
    env: 'EVENKEEL_DATA_DIR',
    fallback: '.evenkeel',
    help: 'where the embedded control plane keeps its data',
  },
  'api-port': { env: 'EVENKEEL_API_PORT', fallback: '7443', help: 'port of the embedded API server' },
  'api-host': {
    env: 'EVENKEEL_API_HOST',
    fallback: '127.0.0.1',
    help: 'address of the embedded API server; beyond loopback with --api-exposed',
  },
  kubeconfig: { env: 'KUBECONFIG', help: 'connect to this control plane instead of the embedded one' },
  context: { env: 'EVENKEEL_CONTEXT', help: 'context of the kubeconfig' },
  only: { env: 'EVENKEEL_ONLY', help: '"apiserver": serve the embedded control plane without a console' },
  reconcilers: { env: 'EVENKEEL_RECONCILERS', help: 'comma-separated names, "all" or "none"' },
  'feature-gates': { env: 'EVENKEEL_FEATURE_GATES', help: 'PropagationPolicyPreemption=true,WorkloadAffinity=true' },
  'journal-dir': {
    env: 'EVENKEEL_JOURNAL_DIR',
    help: 'where the journal of what was observed is kept; default: in the data directory, beside a real control plane in memory',
  },
  'audit-log': {
    env: 'EVENKEEL_AUDIT_LOG',
    help: 'file for the audit log (rotated: its name is completed by the time), "-" for the standard output, or "none"; default: in the data directory, beside a real control plane none',
  },
  'rate-limit-queries': {
    env: 'EVENKEEL_RATE_LIMIT_QUERIES',
    fallback: '1200',
    help: 'questions that one user may ask in a minute; 0: no limit',
  },
  'rate-limit-actions': {
    env: 'EVENKEEL_RATE_LIMIT_ACTIONS',
    fallback: '120',
    help: 'actions that one user may send in a minute; 0: no limit',
  },
  'journal-retention': { env: 'EVENKEEL_JOURNAL_RETENTION', fallback: '168h', help: 'how long the journal is kept' },
  'redis-url': {
    env: 'EVENKEEL_REDIS_URL',
    help: 'the Redis that several instances of the console share, redis:// or rediss://',
  },
  'redis-ca-file': {
    env: 'EVENKEEL_REDIS_CA_FILE',
    help: 'PEM file of the authorities that rediss:// is checked against',
  },
  'webhook-port': {
    env: 'EVENKEEL_WEBHOOK_PORT',
    help: 'port of the admission webhooks of queues; default: a free one, beside a real control plane 9443',
  },
  'webhook-url': {
    env: 'EVENKEEL_WEBHOOK_URL',
    help: 'how a real control plane reaches the webhooks of queues, for instance https://evenkeel.karmada-system.svc:9443',
  },
  'webhook-cert-dir': {
    env: 'EVENKEEL_WEBHOOK_CERT_DIR',
    help: 'folder with tls.crt and tls.key for the webhooks of queues, as a Secret is mounted; default: made once in the data directory',
  },
  'webhook-failure-policy': {
    env: 'EVENKEEL_WEBHOOK_FAILURE_POLICY',
    fallback: 'Fail',
    help: 'what becomes of writes while the webhooks are away: Fail or Ignore',
  },
  ...loginFlags,
  'log-level': { env: 'EVENKEEL_LOG_LEVEL', fallback: 'info', help: 'debug, info, warn or error' },
  'otlp-endpoint': {
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    help: 'where traces are sent over OTLP/HTTP, for instance http://collector:4318; default: nowhere',
  },
  'trace-ratio': {
    env: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    help: 'share of the traces begun here that is recorded, 0 to 1',
  },
  'cluster-status-update-frequency': {
    env: 'EVENKEEL_CLUSTER_STATUS_UPDATE_FREQUENCY',
    help: 'how often a member is probed',
  },
  'cluster-success-threshold': { env: 'EVENKEEL_CLUSTER_SUCCESS_THRESHOLD', help: 'good for this long: Ready' },
  'cluster-failure-threshold': { env: 'EVENKEEL_CLUSTER_FAILURE_THRESHOLD', help: 'bad for this long: not Ready' },
  'no-execute-after': {
    env: 'EVENKEEL_NO_EXECUTE_AFTER',
    help: 'not Ready for this long: NoExecute taint; "never" as upstream',
  },
  'resource-eviction-rate': { env: 'EVENKEEL_RESOURCE_EVICTION_RATE', help: 'evictions per second' },
  'graceful-eviction-timeout': {
    env: 'EVENKEEL_GRACEFUL_EVICTION_TIMEOUT',
    fallback: '10m',
    help: 'longest grace of an eviction',
  },
} satisfies Record<string, Flag>

type FlagName = keyof typeof flags

/** A federation that one watches wants answers in seconds; a real one keeps the figures of upstream. */
const timingDefaults = {
  embedded: { frequency: '1s', success: '2s', failure: '3s', noExecute: '5s', rate: '20' },
  connected: { frequency: '10s', success: '30s', failure: '30s', noExecute: 'never', rate: '0.5' },
}

/** Reads `argv` (without program names) and `env`. Throws ConfigError. */
export function parseConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const { values, demo, apiExposed, upstream, readOnly } = readFlags(argv)
  const read = (name: FlagName) => values[name] ?? (env[flags[name].env] || undefined) ?? (flags[name] as Flag).fallback
  const kubeconfig = read('kubeconfig')
  const dataDir = resolve(read('data-dir') ?? '.evenkeel')
  const console = { host: read('host') ?? '127.0.0.1', port: readPort('port', read('port')) }
  return {
    ...console,
    allowedHosts: readList(read('allowed-hosts')),
    dataDir,
    apiPort: readPort('api-port', read('api-port')),
    ...readApiAddress(read('api-host') ?? '127.0.0.1', apiExposed || env.EVENKEEL_API_EXPOSED === '1'),
    kubeconfig,
    context: read('context'),
    only: readChoice('only', read('only'), ['apiserver']),
    reconcilers: readReconcilers(read('reconcilers')),
    demo: demo && env.EVENKEEL_DEMO !== '0',
    journalDir: readJournalDir(read('journal-dir'), { dataDir, kubeconfig }),
    auditLog: readAuditLog(read('audit-log'), { dataDir, kubeconfig }),
    rateLimits: {
      queriesPerMinute: readCount('rate-limit-queries', read('rate-limit-queries')),
      actionsPerMinute: readCount('rate-limit-actions', read('rate-limit-actions')),
    },
    journalRetentionMs: readDuration('journal-retention', read('journal-retention') ?? '168h'),
    logLevel: readChoice('log-level', read('log-level'), ['debug', 'info', 'warn', 'error']) ?? 'info',
    tracing: readTracing(read('otlp-endpoint'), read('trace-ratio') ?? '1'),
    redis: readRedis(read('redis-url'), read('redis-ca-file')),
    gates: readGates(read('feature-gates')),
    upstream: upstream || env.EVENKEEL_UPSTREAM === '1',
    webhooks: readWebhooks(read, kubeconfig === undefined),
    login: readLogin({
      ...console,
      read,
      env,
      readOnly: readOnly || env.EVENKEEL_READ_ONLY === '1',
      connected: kubeconfig !== undefined,
    }),
    timing: readTiming(read, kubeconfig === undefined ? 'embedded' : 'connected'),
  }
}

/** The text of `--help`. */
export function usage(): string {
  const lines = Object.entries(flags).map(([name, flag]: [string, Flag]) =>
    `  --${name.padEnd(34)}${flag.help} (${flag.env}${flag.fallback ? `, default ${flag.fallback}` : ''})`)
  const switches = [
    `  --${'api-exposed'.padEnd(34)}let other machines reach the embedded API server, over TLS (EVENKEEL_API_EXPOSED=1)`,
    `  --${'no-demo'.padEnd(34)}start empty (EVENKEEL_DEMO=0)`,
    `  --${'read-only'.padEnd(34)}the whole console changes nothing, whoever asks (EVENKEEL_READ_ONLY=1)`,
    `  --${'upstream'.padEnd(34)}behave exactly as Karmada, also where it is plainly wrong (EVENKEEL_UPSTREAM=1)`,
  ]
  return ['npm start -- [flags]', '', ...lines, ...switches].join('\n')
}

interface Given {
  values: Partial<Record<FlagName, string>>
  demo: boolean
  apiExposed: boolean
  upstream: boolean
  readOnly: boolean
}

function readFlags(argv: readonly string[]): Given {
  const options = Object.fromEntries(Object.keys(flags).map((name) => [name, { type: 'string' as const }]))
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        ...options,
        'no-demo': { type: 'boolean' },
        'api-exposed': { type: 'boolean' },
        upstream: { type: 'boolean' },
        'read-only': { type: 'boolean' },
      },
      strict: true,
    })
    const { 'no-demo': noDemo, 'api-exposed': apiExposed, upstream, 'read-only': readOnly, ...rest } = values
    return {
      values: rest as Partial<Record<FlagName, string>>,
      demo: noDemo !== true,
      apiExposed: apiExposed === true,
      upstream: upstream === true,
      readOnly: readOnly === true,
    }
  } catch (error) {
    throw new ConfigError(`${error instanceof Error ? error.message : String(error)}\n\n${usage()}`)
  }
}

/** Nobody opens an API server to others by a slip. */
function readApiAddress(apiHost: string, apiExposed: boolean): Pick<Config, 'apiHost' | 'apiExposed'> {
  if (apiExposed || isLoopback(apiHost)) return { apiHost, apiExposed }
  throw new ConfigError(
    `--api-host ${apiHost} lets other machines reach the embedded API server: add --api-exposed if that is meant`,
  )
}

function readPort(name: FlagName, text: string | undefined): number {
  const port = z.coerce.number().int().min(0).max(65535).safeParse(text)
  if (!port.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a port from 0 to 65535, not "${text}"`)
  return port.data
}

function readChoice<const C extends string>(
  name: FlagName,
  text: string | undefined,
  choices: readonly C[],
): C | undefined {
  if (text === undefined) return undefined
  const choice = choices.find((candidate) => candidate === text)
  if (!choice)
    throw new ConfigError(`--${name} (${flags[name].env}) must be one of ${choices.join(', ')}, not "${text}"`)
  return choice
}

function readReconcilers(text: string | undefined): Config['reconcilers'] {
  if (text === undefined || text === 'all' || text === 'none') return text
  return readList(text)
}

/** The data directory is the embedded control plane's; beside a real one nothing is written that was not asked for. */
function readJournalDir(
  given: string | undefined,
  { dataDir, kubeconfig }: { dataDir: string; kubeconfig: string | undefined },
): string | undefined {
  if (given !== undefined) return resolve(given)
  return kubeconfig === undefined ? join(dataDir, 'journal') : undefined
}

function readAuditLog(
  given: string | undefined,
  { dataDir, kubeconfig }: { dataDir: string; kubeconfig: string | undefined },
): string {
  if (given === '-' || given === 'none') return given
  if (given !== undefined) return resolve(given)
  return kubeconfig === undefined ? join(dataDir, 'audit', 'audit.jsonl') : 'none'
}

function readCount(name: FlagName, text: string | undefined): number {
  const count = z.coerce.number().int().min(0).safeParse(text)
  if (!count.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a whole number from 0, not "${text}"`)
  return count.data
}

function readList(text = ''): string[] {
  return text.split(',').map((entry) => entry.trim()).filter(Boolean)
}

/** Errors name the flag and never repeat the address, for it may hold a password. */
function readRedis(url: string | undefined, caFile: string | undefined): Config['redis'] {
  if (url === undefined) return undefined
  const secure = url.startsWith('rediss://')
  if (!(secure || url.startsWith('redis://')) || !isUsable(url)) {
    throw new ConfigError(`--redis-url (${flags['redis-url'].env}) must look like redis://host:6379, redis://user:password@host:6379/0 or rediss://host:6380, with special characters of the password percent-encoded`)
  }
  if (caFile !== undefined && !secure) throw new ConfigError('--redis-ca-file is for rediss:// only')
  return { url, caFile: caFile === undefined ? undefined : resolve(caFile) }
}

function isUsable(url: string): boolean {
  try {
    const { hostname, pathname, username, password } = new URL(url)
    for (const part of [username, password]) decodeURIComponent(part)
    return hostname !== '' && /^\/?\d*$/.test(pathname)
  } catch {
    return false
  }
}

function readGates(text: string | undefined): FeatureGates {
  const gates: FeatureGates = { PropagationPolicyPreemption: false, WorkloadAffinity: false }
  for (const entry of readList(text)) {
    const [name = '', value] = entry.split('=')
    if (!Object.hasOwn(gates, name) || (value !== 'true' && value !== 'false')) {
      throw new ConfigError(`--feature-gates (${flags['feature-gates'].env}) takes ${Object.keys(gates).join(' and ')}, each =true or =false, not "${entry}"`)
    }
    gates[name as keyof FeatureGates] = value === 'true'
  }
  return gates
}

function readWebhooks(read: (name: FlagName) => string | undefined, embedded: boolean): WebhookSettings {
  const url = read('webhook-url')
  if (url !== undefined && (!URL.canParse(url) || new URL(url).protocol !== 'https:')) {
    throw new ConfigError(`--webhook-url (${flags['webhook-url'].env}) must be an address such as https://evenkeel.karmada-system.svc:9443, not "${url}"`)
  }
  return {
    port: readPort('webhook-port', read('webhook-port') ?? (embedded ? '0' : '9443')),
    url,
    certDir: read('webhook-cert-dir'),
    failurePolicy: readChoice('webhook-failure-policy', read('webhook-failure-policy'), ['Fail', 'Ignore']) ?? 'Fail',
  }
}

function readTiming(read: (name: FlagName) => string | undefined, mode: keyof typeof timingDefaults): Timing {
  const defaults = timingDefaults[mode]
  const noExecute = read('no-execute-after') ?? defaults.noExecute
  return {
    clusterStatusUpdateMs: readDuration(
      'cluster-status-update-frequency',
      read('cluster-status-update-frequency') ?? defaults.frequency,
    ),
    clusterSuccessThresholdMs: readDuration(
      'cluster-success-threshold',
      read('cluster-success-threshold') ?? defaults.success,
    ),
    clusterFailureThresholdMs: readDuration(
      'cluster-failure-threshold',
      read('cluster-failure-threshold') ?? defaults.failure,
    ),
    noExecuteAfterMs: noExecute === 'never' ? undefined : readDuration('no-execute-after', noExecute),
    resourceEvictionPerSecond: readRate('resource-eviction-rate', read('resource-eviction-rate') ?? defaults.rate),
    gracefulEvictionTimeoutMs: readDuration('graceful-eviction-timeout', read('graceful-eviction-timeout') ?? '10m'),
  }
}

function readTracing(endpoint: string | undefined, ratio: string): Config['tracing'] {
  if (endpoint === undefined) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new ConfigError(`--otlp-endpoint (${flags['otlp-endpoint'].env}) must be an address such as http://collector:4318, not "${endpoint}"`)
  }
  const share = z.coerce.number().min(0).max(1).safeParse(ratio)
  if (!share.success)
    throw new ConfigError(`--trace-ratio (${flags['trace-ratio'].env}) must be a number from 0 to 1, not "${ratio}"`)
  return { endpoint, ratio: share.data }
}

function readDuration(name: FlagName, text: string): number {
  const duration = parseDuration(text)
  if (duration === undefined)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a duration such as 500ms, 30s or 10m, not "${text}"`)
  return duration
}

function readRate(name: FlagName, text: string): number {
  const rate = z.coerce.number().min(0).safeParse(text)
  if (!rate.success)
    throw new ConfigError(`--${name} (${flags[name].env}) must be a number of evictions per second, not "${text}"`)
  return rate.data
}
