/** All settings, as flags and environment variables, and the text of `--help`. */
import { parseArgs } from 'node:util'
import { FAILOVER_DEFAULTS } from '@/lib/kube/failover-defaults'
import { ConfigError } from './config-error'
import { loginFlags } from './login'

export interface Flag {
  env: string
  fallback?: string
  help: string
}

/** All settings with flag, environment variable, default and help text. */
export const flags = {
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
  'skip-objects': {
    env: 'EVENKEEL_SKIP_OBJECTS',
    help: 'objects that no loop reconciles, comma-separated: namespace/name or controller:namespace/name; "none": also forget those under which the process died',
  },
  'feature-gates': { env: 'EVENKEEL_FEATURE_GATES', help: 'PropagationPolicyPreemption=true,WorkloadAffinity=true' },
  'failover-profile': {
    env: 'EVENKEEL_FAILOVER_PROFILE',
    help: 'default of tolerationSeconds in the embedded control plane: upstream (300, the default) or proposal (10)',
  },
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
    fallback: `${FAILOVER_DEFAULTS.gracePeriodSeconds / 60}m`,
    help: 'longest grace of an eviction',
  },
} satisfies Record<string, Flag>

export type FlagName = keyof typeof flags

/** The text of `--help`. */
export function usage(): string {
  const lines = Object.entries(flags).map(
    ([name, flag]: [string, Flag]) =>
      `  --${name.padEnd(34)}${flag.help} (${flag.env}${flag.fallback ? `, default ${flag.fallback}` : ''})`,
  )
  const switches = [
    `  --${'api-exposed'.padEnd(34)}let other machines reach the embedded API server, over TLS (EVENKEEL_API_EXPOSED=1)`,
    `  --${'no-demo'.padEnd(34)}start empty (EVENKEEL_DEMO=0)`,
    `  --${'read-only'.padEnd(34)}the whole console changes nothing, whoever asks (EVENKEEL_READ_ONLY=1)`,
    `  --${'upstream'.padEnd(34)}behave exactly as Karmada, also where it is plainly wrong (EVENKEEL_UPSTREAM=1)`,
  ]
  return ['npm start -- [flags]', '', ...lines, ...switches].join('\n')
}

/** The parsed command line. */
export interface Given {
  values: Partial<Record<FlagName, string>>
  demo: boolean
  apiExposed: boolean
  upstream: boolean
  readOnly: boolean
}

/** Throws ConfigError with the usage for a flag that does not exist. */
export function readFlags(argv: readonly string[]): Given {
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
