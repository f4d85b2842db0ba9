/** Composes rehearsals: which controllers run in them, with which settings. */
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { Manifest, Scenario } from '@/lib/domain/rehearsal/scenario'
import type { TwinExport } from '@/lib/domain/twin'
import { type Config, parseConfig, type Timing } from '@/server/config/config'
import { memberSimulation } from '@/server/members'
import { fleetOfExport, fleetOfManifests } from '@/server/rehearsal/fleet'
import type { Activity } from '@/server/rehearsal/quiescence'
import type { PlaneContext, RunningParts } from '@/server/rehearsal/plane'
import { rehearse, type Rehearsal, type RehearsalOptions } from '@/server/rehearsal/rehearse'
import { createInterpreter, type Interpreter } from '@/server/reconcilers/shared/interpreter'
import type { Logger } from '@/server/runtime/controller'
import { startLocalWebhooks } from '@/server/webhooks'
import { allControllers, schedulerGates } from './all-controllers'

/** Source of the rehearsed fleet: manifests, or a copied federation. */
export type FleetSource = { manifests: readonly Manifest[] } | { federation: TwinExport }

export interface ComposedRehearsal extends Pick<RehearsalOptions, 'scenario' | 'onProgress' | 'signal' | 'onEnd'> {
  source: FleetSource
  /** Decide exactly as Karmada does. */
  upstream?: boolean
  /** Settings of the source's controllers. Default: the defaults of this product. */
  settings?: RehearsalSettings
  log: Logger
  /** Called before the controllers start, with the settings that they have. */
  onPlane?: (context: PlaneContext, profile: SchedulerProfile) => void
}

/** Plain data, because it is passed to a thread. */
export type RehearsalSettings = Pick<Config, 'gates' | 'compatibility' | 'timing' | 'failoverDefaults'>

/** Runs a scenario with the controllers of this product in their default settings. Throws BadInput. */
export function runRehearsal({
  source,
  upstream = false,
  settings,
  onPlane,
  ...options
}: ComposedRehearsal): Promise<Rehearsal> {
  const config = settings ?? parseConfig(upstream ? ['--upstream'] : [], {})
  const { compatibility, failoverDefaults } = config
  const timing = timingOf(options.scenario, 'federation' in source && !settings ? KARMADA_TIMING : config.timing)
  return rehearse({
    ...options,
    fleet:
      'federation' in source ? fleetOfExport(source.federation, profileOf(config)) : fleetOfManifests(source.manifests),
    failoverDefaults,
    upstream: compatibility.admission.upstream,
    controllers: (context, activity) => {
      onPlane?.(context, profileOf(config))
      return controllersOf({ ...config, timing }, context, activity)
    },
  })
}

/** Defaults of the flags of Karmada's controllers. */
const KARMADA_TIMING = parseConfig(['--kubeconfig=source'], {}).timing

const profileOf = ({ compatibility, gates }: Pick<RehearsalSettings, 'compatibility' | 'gates'>): SchedulerProfile => ({
  ...compatibility.scheduler.profile,
  ...schedulerGates(gates),
})

type Settings = Pick<Config, 'gates' | 'compatibility' | 'timing'>

/** The controllers of this product and its members, over a control plane in simulated time. */
export function controllersOf(settings: Settings, context: PlaneContext, activity: Activity): RunningParts {
  const { gates, compatibility, timing } = settings
  const interpreter = createInterpreter(context.informers, compatibility.interpreter)
  const given = { ...context, interpreter: counted(interpreter, activity) }
  const webhooks = startLocalWebhooks(given, { local: context.localWebhooks, ...compatibility.queueWebhooks })
  const controllers = allControllers({
    given: () => given,
    timing,
    gates,
    compatibility,
    quotasServed: true,
    schedulerProfile: () => profileOf(settings),
  })
  return {
    controllers: [...controllers, webhooks.registration, ...memberSimulation(context)],
    close: async () => {
      await webhooks.close()
      await interpreter.close()
    },
  }
}

/** Scripts run in a thread; the simulated time must not advance while a call is pending. */
function counted(interpreter: Interpreter, activity: Activity): Interpreter {
  return new Proxy(interpreter, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const answer: unknown = value.apply(target, args)
        return answer instanceof Promise ? activity.during(() => answer) : answer
      }
    },
  })
}

/** Returns the timing of the scenario; fields that it omits keep the value in `base`. */
function timingOf({ timing }: Scenario, base: Timing): Timing {
  const { noExecuteAfter = base.noExecuteAfterMs } = timing
  return {
    clusterStatusUpdateMs: timing.clusterStatusUpdateFrequency ?? base.clusterStatusUpdateMs,
    clusterSuccessThresholdMs: timing.clusterSuccessThreshold ?? base.clusterSuccessThresholdMs,
    clusterFailureThresholdMs: timing.clusterFailureThreshold ?? base.clusterFailureThresholdMs,
    noExecuteAfterMs: noExecuteAfter === 'never' ? undefined : noExecuteAfter,
    resourceEvictionPerSecond: timing.resourceEvictionRate ?? base.resourceEvictionPerSecond,
    gracefulEvictionTimeoutMs: timing.gracefulEvictionTimeout ?? base.gracefulEvictionTimeoutMs,
  }
}
