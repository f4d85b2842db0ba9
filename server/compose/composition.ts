/** Values that the parts of the composition root share. */
import { ownsSuspension } from '@/lib/domain/queue'
import { onMessageProblem } from '@/lib/messages/texts'
import type { Config } from '@/server/config/config'
import { createEventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import { clientOver } from '@/server/kube/rest-client'
import type { Logger, ReconcilerContext } from '@/server/runtime/controller'
import { createInterpreter, type InterpreterContext } from '@/server/reconcilers/shared/interpreter'
import { createFailureTracker, type FailureTracker } from '@/server/runtime/failure-tracker'
import { createLoopLoad } from '@/server/runtime/loop-load'
import { openPassRecord, type PassRecord } from '@/server/runtime/pass-record'
import { systemClock } from '@/server/runtime/system-clock'
import { EventLoopTurns, type Turns } from '@/server/runtime/turns'
import type { Stop } from '@/server/shutdown'
import { createMetrics, type Metrics } from '@/server/telemetry/metrics'
import { observedTransport } from '@/server/telemetry/observed-transport'
import type { Spans } from '@/server/telemetry/spans'
import { startWatchdog } from '@/server/telemetry/watchdog'
import { workNotes } from '@/server/telemetry/work'
import type { Waiting } from './answer-while-waiting'
import type { ControlPlane } from './control-plane'
import type { Twin } from './twin'
import type { Reachability } from './until-reachable'

/** Dependencies of controllers and views, over one connection. */
export interface Parts extends InterpreterContext {
  metrics: Metrics
  spans: Spans
  failureTracker: FailureTracker
  turns: Turns
  /**
   * For simulated members, which stand for other machines: while a fleet is placed or fails over, they let the control plane
   * go first.
   */
  ofSimulation: Pick<ReconcilerContext, 'client' | 'turns'>
  stop: Stop
}

export interface Composition {
  config: Config
  plane: ControlPlane
  parts: Parts
  /** Present if the embedded control plane is a twin. */
  twin?: Twin | undefined
  reachability: Reachability
  /** Answers until the console does. */
  waiting: Waiting
  /** The objects of the first start do not all exist yet. */
  isSeeding: () => boolean
  /** Stop functions, in this order: the last started part is the first. */
  stops: Stop[]
}

export interface PartsOptions {
  log: Logger
  spans: Spans
  /** Version of this program. */
  version: string
  config: Pick<Config, 'dataDir' | 'skipObjects' | 'compatibility' | 'gates'>
}

/** Share of the time from which on the event loop counts as saturated, so that every event delays other writes. */
const SATURATED = 0.9

/**
 * Limits of event writes when the API server runs in this process. Placing or failing over a fleet saturates the event
 * loop, and each event would delay a placement, so events are written slowly then and quickly afterwards.
 */
function eventLimits(): { perSecond: () => number; burst: number; queueLimit: number } {
  const load = createLoopLoad()
  return { perSecond: () => (load() > SATURATED ? 100 : 1000), burst: 500, queueLimit: 30_000 }
}

/** Sends no request to the control plane yet. */
export function connect({ transport, mode }: ControlPlane, { log, spans, version, config }: PartsOptions): Parts {
  const metrics = createMetrics({ version, mode })
  const watchdog = startWatchdog({ notes: workNotes, log, onBlocked: metrics.eventLoopBlocked })
  const ignoreMessages = onMessageProblem(metrics.messageProblem)
  const turns = new EventLoopTurns()
  const clientIn = (own: Turns) =>
    clientOver(observedTransport(transport, { ...metrics, spans, turns: own }), 'evenkeel')
  const client = clientIn(turns)
  const shared = {
    client,
    clock: systemClock,
    random: Math.random,
    onError: (error: unknown) => log.error({ err: error }, 'background task failed'),
  }
  const informers = createInformers({
    ...shared,
    metrics,
    ...(mode === 'connected' && { parsed: { keepsOwner: ownsSuspension } }),
  })
  const interpreter = createInterpreter(informers, {
    ...config.compatibility.interpreter,
    quotaEstimate: config.gates.ResourceQuotaEstimate,
  })
  const events = createEventRecorder({ ...shared, ...(mode === 'embedded' && eventLimits()) })
  const record = mode === 'embedded' ? recordIn(config) : undefined
  const failureTracker = createFailureTracker({
    record,
    skip: config.skipObjects,
    now: systemClock.now,
    after: systemClock.after,
    onCount: metrics.failing,
  })
  const stop = async () => {
    watchdog.stop()
    await interpreter.close()
    ignoreMessages()
    await informers.stop()
    await client.close()
    record?.close()
  }
  return {
    client,
    informers,
    interpreter,
    clock: systemClock,
    events,
    log,
    random: Math.random,
    metrics,
    spans,
    failureTracker,
    turns,
    ofSimulation: { client: clientIn(turns.behind), turns: turns.behind },
    stop,
  }
}

/** Beside a real control plane, files are written only if a directory is configured. */
function recordIn({ dataDir, skipObjects }: PartsOptions['config']): PassRecord {
  return openPassRecord(dataDir, { forget: skipObjects.includes('none') })
}
