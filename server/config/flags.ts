/** Defines all settings as flags and environment variables, and the text of `--help`. */
import { parseArgs } from 'node:util'
import type { Text } from '@/lib/messages'
import { message } from '@/lib/messages/message'
import { FAILOVER_DEFAULTS } from '@/lib/kube/failover-defaults'
import { ConfigError } from './config-error'
import { loginFlags } from './login'

export interface Flag {
  env: string
  fallback?: string
}

/** All flags with environment variable and default; `config.flag.<name>` is the help text. */
export const flags = {
  host: { env: 'HOST', fallback: '127.0.0.1' },
  port: { env: 'PORT', fallback: '3000' },
  'allowed-hosts': { env: 'EVENKEEL_ALLOWED_HOSTS' },
  'data-dir': { env: 'EVENKEEL_DATA_DIR', fallback: '.evenkeel' },
  'api-port': { env: 'EVENKEEL_API_PORT', fallback: '7443' },
  'api-host': { env: 'EVENKEEL_API_HOST', fallback: '127.0.0.1' },
  kubeconfig: { env: 'KUBECONFIG' },
  context: { env: 'EVENKEEL_CONTEXT' },
  'twin-of': { env: 'EVENKEEL_TWIN_OF' },
  'twin-context': { env: 'EVENKEEL_TWIN_CONTEXT' },
  only: { env: 'EVENKEEL_ONLY' },
  reconcilers: { env: 'EVENKEEL_RECONCILERS' },
  'control-planes': { env: 'EVENKEEL_CONTROL_PLANES' },
  'karmada-flags': { env: 'EVENKEEL_KARMADA_FLAGS' },
  'host-kubeconfig': { env: 'EVENKEEL_HOST_KUBECONFIG' },
  'host-namespace': { env: 'EVENKEEL_HOST_NAMESPACE', fallback: 'karmada-system' },
  'skip-objects': { env: 'EVENKEEL_SKIP_OBJECTS' },
  'feature-gates': { env: 'EVENKEEL_FEATURE_GATES' },
  'failover-profile': { env: 'EVENKEEL_FAILOVER_PROFILE' },
  'journal-dir': { env: 'EVENKEEL_JOURNAL_DIR' },
  'audit-log': { env: 'EVENKEEL_AUDIT_LOG' },
  'notify-config': { env: 'EVENKEEL_NOTIFY_CONFIG' },
  'rate-limit-queries': { env: 'EVENKEEL_RATE_LIMIT_QUERIES', fallback: '1200' },
  'rate-limit-actions': { env: 'EVENKEEL_RATE_LIMIT_ACTIONS', fallback: '120' },
  'journal-retention': { env: 'EVENKEEL_JOURNAL_RETENTION', fallback: '168h' },
  'redis-url': { env: 'EVENKEEL_REDIS_URL' },
  'redis-ca-file': { env: 'EVENKEEL_REDIS_CA_FILE' },
  'webhook-port': { env: 'EVENKEEL_WEBHOOK_PORT' },
  'webhook-url': { env: 'EVENKEEL_WEBHOOK_URL' },
  'webhook-cert-dir': { env: 'EVENKEEL_WEBHOOK_CERT_DIR' },
  'webhook-failure-policy': { env: 'EVENKEEL_WEBHOOK_FAILURE_POLICY', fallback: 'Fail' },
  ...loginFlags,
  'log-level': { env: 'EVENKEEL_LOG_LEVEL', fallback: 'info' },
  'otlp-endpoint': { env: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  'trace-ratio': { env: 'OTEL_TRACES_SAMPLER_ARG', fallback: '1' },
  'cluster-status-update-frequency': { env: 'EVENKEEL_CLUSTER_STATUS_UPDATE_FREQUENCY' },
  'cluster-success-threshold': { env: 'EVENKEEL_CLUSTER_SUCCESS_THRESHOLD' },
  'cluster-failure-threshold': { env: 'EVENKEEL_CLUSTER_FAILURE_THRESHOLD' },
  'no-execute-after': { env: 'EVENKEEL_NO_EXECUTE_AFTER' },
  'resource-eviction-rate': { env: 'EVENKEEL_RESOURCE_EVICTION_RATE' },
  'graceful-eviction-timeout': {
    env: 'EVENKEEL_GRACEFUL_EVICTION_TIMEOUT',
    fallback: `${FAILOVER_DEFAULTS.gracePeriodSeconds / 60}m`,
  },
} satisfies Record<string, Flag>

export type FlagName = keyof typeof flags

/** Flags without a value, each with its variable. */
const switches = {
  'api-exposed': 'EVENKEEL_API_EXPOSED=1',
  'no-demo': 'EVENKEEL_DEMO=0',
  'read-only': 'EVENKEEL_READ_ONLY=1',
  upstream: 'EVENKEEL_UPSTREAM=1',
} as const

/** Returns the text of `--help`. */
export function usage(text: Text): string {
  const line = (name: FlagName | keyof typeof switches, variable: string, fallback?: string): string => {
    const help = message(`config.flag.${name}`)
    const described = fallback
      ? text('config.help.flagWithDefault', { help, variable, fallback })
      : text('config.help.flag', { help, variable })
    return `  --${name.padEnd(34)}${described}`
  }
  return [
    text('config.help.usage'),
    '',
    ...(Object.keys(flags) as FlagName[]).map((name) => line(name, flags[name].env, (flags[name] as Flag).fallback)),
    ...(Object.keys(switches) as (keyof typeof switches)[]).map((name) => line(name, switches[name])),
  ].join('\n')
}

/** Returns a flag with its variable, as errors name it: `--port (PORT)`. */
export const flagText = (name: FlagName): string => `--${name} (${flags[name].env})`

/** The parsed command line. */
export interface Given {
  values: Partial<Record<FlagName, string>>
  demo: boolean
  apiExposed: boolean
  upstream: boolean
  readOnly: boolean
}

/** Throws ConfigError for an unknown flag. */
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
    throw new ConfigError(
      message('config.error.unknownFlag', {
        error: (error instanceof Error ? error.message : String(error)).replace(/\.$/, ''),
      }),
    )
  }
}
