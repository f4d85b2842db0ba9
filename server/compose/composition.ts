/** What the parts of the composition root hand each other. */
import type { Config } from '@/server/config/config'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { clientOver } from '@/server/kube/rest-client'
import type { Logger, ReconcilerContext } from '@/server/runtime/controller'
import { systemClock } from '@/server/runtime/system-clock'
import type { Stop } from '@/server/shutdown'
import { createMetrics, type Metrics } from '@/server/telemetry/metrics'
import { observedTransport } from '@/server/telemetry/observed-transport'
import type { Spans } from '@/server/telemetry/spans'
import type { ControlPlane } from './control-plane'

/** Everything that loops and views are given, over one connection. */
export interface Parts extends ReconcilerContext {
  metrics: Metrics
  spans: Spans
  stop: Stop
}

export interface Composition {
  config: Config
  plane: ControlPlane
  parts: Parts
  /** How what runs is ended, in this order: whoever starts something puts its end first. */
  stops: Stop[]
}

export interface PartsOptions {
  log: Logger
  spans: Spans
  /** Of this program. */
  version: string
}

/** Nothing is asked of the control plane yet. */
export function connect({ transport, mode }: ControlPlane, { log, spans, version }: PartsOptions): Parts {
  const metrics = createMetrics({ version, mode })
  const client = clientOver(observedTransport(transport, { ...metrics, spans }), 'evenkeel')
  const shared = {
    client,
    clock: systemClock,
    random: Math.random,
    onError: (error: unknown) => log.error({ err: error }, 'failed in the background'),
  }
  const informers = createInformers({ ...shared, metrics })
  const events = createEventRecorder({ ...shared, ...(mode === 'embedded' && { perSecond: 500, burst: 2000 }) })
  const stop = async () => {
    await informers.stop()
    await client.close()
  }
  return { client, informers, clock: systemClock, events, log, random: Math.random, metrics, spans, stop }
}
