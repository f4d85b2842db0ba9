/** Flags and environment, parsed and validated once, before anything starts. */
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { FailoverDefaults } from '@/lib/domain/failover'
import { message } from '@/lib/messages/message'
import type { ControlPlaneLink } from '@/lib/view/login'
import { isLoopback } from '@/server/apiserver'
import { type ProxyEnvironment, proxyEnvironment } from '@/server/kube/proxy'
import type { NotifySettings } from '@/server/notify'
import { type CompatibilityProfile, evenkeelProfile, karmadaProfile } from '@/server/reconcilers/shared/compatibility'
import { ConfigError } from './config-error'
import { readControlPlanes } from './control-planes'
import { type FeatureGates, readGates } from './feature-gates'
import { type Flag, type FlagName, flags, flagText, readFlags, usage } from './flags'
import { type KarmadaFlags, readKarmadaFlags } from './karmada-flags'
import { type LoginConfig, readLogin } from './login'
import { readNotify } from './notify'
import { readChoice, readCount, readDuration, readList, readPort, readRate } from './values'

export { ConfigError, usage }

/** Timing of the controllers, in milliseconds unless the name says otherwise. */
export interface Timing {
  clusterStatusUpdateMs: number
  clusterSuccessThresholdMs: number
  clusterFailureThresholdMs: number
  /** A cluster that is not Ready for this long gets a NoExecute taint. Undefined: never, as upstream. */
  noExecuteAfterMs: number | undefined
  resourceEvictionPerSecond: number
  gracefulEvictionTimeoutMs: number
}

export interface Config {
  host: string
  port: number
  /** Additional host names of the console, for instance behind a proxy. */
  allowedHosts: readonly string[]
  dataDir: string
  apiPort: number
  /** Address of the embedded API server. Addresses other than loopback need `apiExposed` and TLS. */
  apiHost: string
  apiExposed: boolean
  /** Control plane to connect to; undefined: run the embedded one. */
  kubeconfig: string | undefined
  context: string | undefined
  /** Proxies to the control plane, as the environment names them. */
  proxies: ProxyEnvironment
  /** Present: the embedded control plane is a twin of this one, a kubeconfig or an export. Its objects are in memory. */
  twinOf: { file: string; context: string | undefined } | undefined
  /** `apiserver` serves the embedded control plane and its simulated members only. */
  only: 'apiserver' | undefined
  /** Names of the controllers to run, `all`, or `none`. Undefined: all when embedded, none when connected. */
  reconcilers: readonly string[] | 'all' | 'none' | undefined
  /** Keys that no controller reconciles; `none` also clears the quarantine. */
  skipObjects: readonly string[]
  /** Settings of the controllers of a real control plane, as configured. Undefined: unknown. */
  karmadaFlags: KarmadaFlags | undefined
  /** The consoles of the operator's control planes; empty: only this one. */
  controlPlanes: ControlPlaneLink[]
  /** Where Karmada's components run; undefined: their arguments are not read. */
  karmadaHost: { kubeconfig: string; namespace: string } | undefined
  demo: boolean
  journal: JournalPlace
  journalRetentionMs: number
  /** Target of the audit log: a file, `-` for the standard output, or `none`. */
  auditLog: string
  /** Receivers of notices about incidents; undefined: none. */
  notify: NotifySettings | undefined
  /** Requests per minute and user; 0: no limit. */
  rateLimits: { queriesPerMinute: number; actionsPerMinute: number }
  logLevel: 'debug' | 'info' | 'warn' | 'error'
  /** OTLP/HTTP endpoint for traces, and the ratio of traces that are recorded. Undefined: tracing is off. */
  tracing: { endpoint: string; ratio: number } | undefined
  /** Redis shared by the instances of the console. The URL contains a password and is never logged or shown. */
  redis: { url: string; caFile: string | undefined } | undefined
  timing: Timing
  gates: FeatureGates
  /** Behave exactly as Karmada, including its known defects. */
  compatibility: CompatibilityProfile
  /** Default of `tolerationSeconds` of application failover in the embedded control plane. */
  failoverDefaults: FailoverDefaults
  webhooks: WebhookSettings
  login: LoginConfig
}

/** Location of the journal of observed changes. */
export type JournalPlace =
  | { in: 'memory' }
  | { in: 'directory'; path: string }
  /**
   * A directory per real control plane. The journal falls back to memory if the directory is not writable, because it
   * was not configured explicitly.
   */
  | { in: 'directoryOfControlPlane'; below: string }

/** Admission webhooks of queues. */
export interface WebhookSettings {
  /** Port on which the webhooks listen; 0 picks a free port. */
  port: number
  /** Address for a real control plane; absent: no webhooks beside a real control plane. */
  url: string | undefined
  /** A directory with `tls.crt` and `tls.key`; absent: a self-signed certificate in the data directory. */
  certDir?: string | undefined
  failurePolicy: 'Fail' | 'Ignore'
}

/** The embedded control plane reacts in seconds; a real one keeps Karmada's defaults. */
const timingDefaults = {
  embedded: { frequency: '1s', success: '2s', failure: '3s', noExecute: '5s', rate: '20' },
  connected: { frequency: '10s', success: '30s', failure: '30s', noExecute: 'never', rate: '0.5' },
}

/** Parses `argv` (without program names) and `env`. Throws ConfigError. */
export function parseConfig(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const { values, demo, apiExposed, upstream, readOnly } = readFlags(argv)
  const likeKarmada = upstream || env.EVENKEEL_UPSTREAM === '1'
  const read = (name: FlagName) => values[name] ?? (env[flags[name].env] || undefined) ?? (flags[name] as Flag).fallback
  const only = readChoice('only', read('only'), ['apiserver'])
  const twinOf = readTwin(read, values.kubeconfig !== undefined)
  // KUBECONFIG names the operator's control plane, to which a twin does not connect.
  const kubeconfig = twinOf ? undefined : readKubeconfig(only, { flag: values.kubeconfig, given: read('kubeconfig') })
  const dataDir = readDataDir(values['data-dir'] ?? env.EVENKEEL_DATA_DIR, twinOf !== undefined)
  const console = { host: read('host') ?? '127.0.0.1', port: readPort('port', read('port')) }
  return {
    ...console,
    allowedHosts: readList(read('allowed-hosts')),
    dataDir,
    apiPort: readPort('api-port', read('api-port')),
    ...readApiAddress(read('api-host') ?? '127.0.0.1', apiExposed || env.EVENKEEL_API_EXPOSED === '1'),
    kubeconfig,
    context: read('context'),
    proxies: proxyEnvironment(env),
    twinOf,
    only,
    reconcilers: readReconcilers(read('reconcilers')),
    skipObjects: readList(read('skip-objects')),
    controlPlanes: readControlPlanes(read('control-planes')),
    karmadaFlags: readKarmadaFlags(read('karmada-flags')),
    karmadaHost: readKarmadaHost(read),
    demo: demo && env.EVENKEEL_DEMO !== '0' && !twinOf,
    journal: readJournalPlace(read('journal-dir') ?? (twinOf && 'none'), { dataDir, kubeconfig }),
    auditLog: readAuditLog(read('audit-log'), { dataDir, kubeconfig }),
    notify: readNotify(read('notify-config')),
    rateLimits: {
      queriesPerMinute: readCount('rate-limit-queries', read('rate-limit-queries')),
      actionsPerMinute: readCount('rate-limit-actions', read('rate-limit-actions')),
    },
    journalRetentionMs: readDuration('journal-retention', read('journal-retention') ?? '168h'),
    logLevel: readChoice('log-level', read('log-level'), ['debug', 'info', 'warn', 'error']) ?? 'info',
    tracing: readTracing(read('otlp-endpoint'), read('trace-ratio') ?? '1'),
    redis: readRedis(read('redis-url'), read('redis-ca-file')),
    gates: readGates(read('feature-gates')),
    compatibility: likeKarmada ? karmadaProfile : evenkeelProfile,
    failoverDefaults: readFailoverDefaults(read('failover-profile'), likeKarmada),
    webhooks: readWebhooks(read, kubeconfig === undefined),
    login: readLogin({
      ...console,
      read,
      env,
      readOnly: readOnly || env.EVENKEEL_READ_ONLY === '1',
      connected: kubeconfig !== undefined,
    }),
    // A twin has the timing of its source.
    timing: readTiming(read, kubeconfig === undefined && !twinOf ? 'embedded' : 'connected'),
  }
}

/** Throws ConfigError if the console is also to be connected to a control plane. */
function readTwin(read: (name: FlagName) => string | undefined, connects: boolean): Config['twinOf'] {
  const file = read('twin-of')
  if (file === undefined) return undefined
  if (connects) throw new ConfigError(message('config.error.twinConnected', { flag: flagText('twin-of') }))
  return { file: resolve(file), context: read('twin-context') }
}

/** A twin has a separate data directory, so that it does not touch the objects of the embedded control plane. */
function readDataDir(given: string | undefined, isTwin: boolean): string {
  return resolve(given || (isTwin ? `${flags['data-dir'].fallback}-twin` : flags['data-dir'].fallback))
}

/** With `--only`, the variable KUBECONFIG is ignored because shells often set it; the flag is a contradiction. */
function readKubeconfig(
  only: Config['only'],
  { flag, given }: { flag: string | undefined; given: string | undefined },
): string | undefined {
  if (only === undefined) return given
  if (flag !== undefined) throw new ConfigError(message('config.error.onlyWithKubeconfig'))
  return undefined
}

/** Throws ConfigError if the profile contradicts `--upstream`. */
function readFailoverDefaults(text: string | undefined, upstream: boolean): FailoverDefaults {
  const chosen = readChoice('failover-profile', text, ['upstream', 'proposal']) ?? 'upstream'
  if (chosen === 'upstream' || !upstream) return chosen
  throw new ConfigError(message('config.error.profileWithUpstream', { flag: flagText('failover-profile') }))
}

/** Requires an explicit flag to expose the API server beyond loopback. */
function readApiAddress(apiHost: string, apiExposed: boolean): Pick<Config, 'apiHost' | 'apiExposed'> {
  if (apiExposed || isLoopback(apiHost)) return { apiHost, apiExposed }
  throw new ConfigError(message('config.error.apiExposed', { value: apiHost }))
}

function readKarmadaHost(read: (name: FlagName) => string | undefined): Config['karmadaHost'] {
  const kubeconfig = read('host-kubeconfig')
  return kubeconfig === undefined ? undefined : { kubeconfig, namespace: read('host-namespace') ?? 'karmada-system' }
}

function readReconcilers(text: string | undefined): Config['reconcilers'] {
  if (text === undefined || text === 'all' || text === 'none') return text
  return readList(text)
}

/** On disk unless `none` is given; connected in a directory per control plane, since a data directory may serve several. */
function readJournalPlace(
  given: string | undefined,
  { dataDir, kubeconfig }: { dataDir: string; kubeconfig: string | undefined },
): JournalPlace {
  if (given === 'none') return { in: 'memory' }
  if (given !== undefined) return { in: 'directory', path: resolve(given) }
  return kubeconfig === undefined
    ? { in: 'directory', path: join(dataDir, 'journal') }
    : { in: 'directoryOfControlPlane', below: join(dataDir, 'journals') }
}

function readAuditLog(
  given: string | undefined,
  { dataDir, kubeconfig }: { dataDir: string; kubeconfig: string | undefined },
): string {
  if (given === '-' || given === 'none') return given
  if (given !== undefined) return resolve(given)
  return kubeconfig === undefined ? join(dataDir, 'audit', 'audit.jsonl') : 'none'
}

/** Errors name the flag and never repeat the URL, because it may contain a password. */
function readRedis(url: string | undefined, caFile: string | undefined): Config['redis'] {
  if (url === undefined) return undefined
  const secure = url.startsWith('rediss://')
  if (!(secure || url.startsWith('redis://')) || !isUsable(url)) {
    throw new ConfigError(message('config.error.redisUrl', { flag: flagText('redis-url') }))
  }
  if (caFile !== undefined && !secure) throw new ConfigError(message('config.error.redisCa'))
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

function readWebhooks(read: (name: FlagName) => string | undefined, embedded: boolean): WebhookSettings {
  const url = read('webhook-url')
  if (url !== undefined && (!URL.canParse(url) || new URL(url).protocol !== 'https:')) {
    throw notAnAddress('webhook-url', url, 'https://evenkeel.karmada-system.svc:9443')
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
    gracefulEvictionTimeoutMs: readDuration(
      'graceful-eviction-timeout',
      read('graceful-eviction-timeout') ?? flags['graceful-eviction-timeout'].fallback,
    ),
  }
}

const notAnAddress = (name: FlagName, value: string, example: string): ConfigError =>
  new ConfigError(message('config.error.address', { flag: flagText(name), example, value }))

function readTracing(endpoint: string | undefined, ratio: string): Config['tracing'] {
  if (endpoint === undefined) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw notAnAddress('otlp-endpoint', endpoint, 'http://collector:4318')
  }
  const share = z.coerce.number().min(0).max(1).safeParse(ratio)
  if (!share.success)
    throw new ConfigError(message('config.error.ratio', { flag: flagText('trace-ratio'), value: ratio }))
  return { endpoint, ratio: share.data }
}
