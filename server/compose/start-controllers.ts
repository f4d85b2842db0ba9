/** Starts the controllers of this process after preparing what they need from the control plane. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type SchedulerProfile, upstreamProfile } from '@/lib/domain/placement'
import { message } from '@/lib/messages/message'
import { KubeError } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import { failbackPolicy } from '@/lib/kube/kinds/failback-policy'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import { queue } from '@/lib/kube/kinds/queue'
import { rebalancePlan } from '@/lib/kube/kinds/rebalance-plan'
import { definitionWatch, FollowedKinds, KINDS_READ } from '@/server/bff'
import { type Config, ConfigError } from '@/server/config/config'
import type { KubeClient } from '@/server/kube/client'
import { fencedClient } from '@/server/kube/fenced-client'
import { startElection } from '@/server/kube/leases'
import { ensureDefinitions } from '@/server/reconcilers/shared/definitions'
import type { Controller, Logger } from '@/server/runtime/controller'
import type { InterpreterContext } from '@/server/reconcilers/shared/interpreter'
import { createManager, type StartElection, type Manager } from '@/server/runtime/manager'
import { allControllers, schedulerGates } from './all-controllers'
import type { Composition, Parts } from './composition'
import { companions, openWebhooks } from './webhooks'

export interface RunningControllers {
  /** All controllers; `chosen` are those that run in this process. */
  controllers: readonly Controller[]
  chosen: readonly Controller[]
  manager: Manager
  /** Profile of the responsible scheduler: this product's, or Karmada's. */
  schedulerProfile: SchedulerProfile
  /** Kinds that a real control plane serves; absent for the embedded one, which serves all kinds. */
  served?: FollowedKinds | undefined
}

const REPEAT_WARNING_MS = 30_000

const quotaKind = federatedResourceQuota as unknown as Kind

/**
 * Resolves when the controllers run. Beside a real control plane, which may be unavailable, resolves when they have
 * been started.
 */
export async function startControllers(composition: Composition): Promise<RunningControllers> {
  const { config, plane, parts, stops } = composition
  const { client, log } = parts
  const connected = plane.mode === 'connected'
  const served = connected ? await followKinds(composition) : undefined
  const manager = createManager({ ...parts, ...(connected && { startElection: electionOver(parts) }) })
  stops.unshift(() => manager.stop())
  const given = (name: string): InterpreterContext =>
    connected ? { ...parts, client: fencedClient(client, () => manager.leads(name)) } : parts
  const quotasServed = served?.readable(quotaKind) ?? true
  const controllers = allControllers({ ...config, given, schedulerProfile: () => schedulerProfile, quotasServed })
  const chosen = chooseControllers(config, plane.mode, controllers)
  const schedulerProfile = profileOf(config, chosen)
  const ownKinds = connected ? kindsOf(chosen, config) : []
  if (ownKinds.length > 0) {
    await defineKinds(client, ownKinds, log)
    await served?.look()
  }
  const webhooks = await openWebhooks(composition, given('queue-webhooks'))
  for (const loop of [...chosen, ...companions(composition, webhooks)]) manager.add(loop)
  // A real control plane may be unavailable or lack a kind: the console must show that, so it does not wait.
  const started = manager.start()
  if (!connected) await started
  return { controllers, chosen, manager, schedulerProfile, served }
}

async function followKinds({ reachability, parts, stops }: Composition): Promise<FollowedKinds> {
  const { client, clock, random } = parts
  const watchDefinition = definitionWatch({ client, clock, random })
  const open = () => FollowedKinds.open({ client, clock, kinds: KINDS_READ, watchDefinition })
  const served = await reachability.until(open)
  stops.unshift(async () => served.stop())
  return served
}

/** Returns the profile of the responsible scheduler, which previews must use. */
function profileOf({ compatibility, gates, karmadaFlags }: Config, chosen: readonly Controller[]): SchedulerProfile {
  const isOurs = chosen.some(({ name }) => name === 'scheduler')
  if (isOurs) return { ...compatibility.scheduler.profile, ...schedulerGates(gates) }
  return { ...upstreamProfile, ...karmadaFlags?.scheduler }
}

/** The configured controllers. Throws ConfigError for an unknown name. */
function chooseControllers(
  { reconcilers }: Config,
  mode: 'embedded' | 'connected',
  controllers: readonly Controller[],
): readonly Controller[] {
  const wanted = reconcilers ?? (mode === 'embedded' ? 'all' : 'none')
  if (wanted === 'all') return controllers
  if (wanted === 'none') return []
  const unknown = wanted.filter((name) => !controllers.some((loop) => loop.name === name))
  if (unknown.length > 0) {
    const known = controllers.map(({ name }) => name)
    throw new ConfigError(message('config.error.reconcilers', { unknown, known }))
  }
  return controllers.filter(({ name }) => wanted.includes(name))
}

/** Elects one leader per controller, because several consoles may run beside a real control plane. */
function electionOver({ client, clock, random, log }: Parts): StartElection {
  const identity = `${hostname()}_${randomUUID()}`
  let toldAt = -Infinity
  // An unavailable control plane fails the renewal of every controller every two seconds; log that only once per
  // period.
  const warn = (error: unknown, controller: string): void => {
    const isNew = clock.elapsed() - toldAt >= REPEAT_WARNING_MS
    if (isNew) toldAt = clock.elapsed()
    const why = error instanceof KubeError ? { cause: error.message } : { err: error }
    log[isNew ? 'warn' : 'debug']({ ...why, controller }, 'failed to renew a leader lease')
  }
  return (controller, callbacks) => {
    const lease = { namespace: 'karmada-system', name: `evenkeel-${controller}` }
    const onError = (error: unknown): void => warn(error, controller)
    return startElection({ client, clock, random, identity, ...lease, onError }, callbacks)
  }
}

/**
 * Returns the kinds of this product that the enabled controllers need; a real control plane needs their definitions.
 */
function kindsOf(controllers: readonly Controller[], { webhooks }: Config): Kind[] {
  const runs = (...names: string[]): boolean => controllers.some(({ name }) => names.includes(name))
  return [
    ...(runs('rebalance-plan', 'failback') ? [rebalancePlan, failbackPolicy] : []),
    ...(runs('queue') || webhooks.url !== undefined ? [queue] : []),
  ] as unknown as Kind[]
}

/**
 * Installs the definitions of this product's kinds, and the fields that those of an earlier version lack. This may need
 * the permissions of another administrator.
 */
async function defineKinds(client: KubeClient, kinds: readonly Kind[], log: Logger): Promise<void> {
  const names = kinds.map(({ kind }) => kind)
  try {
    const outcome = await ensureDefinitions(client, kinds)
    if (outcome === 'forbidden')
      log.warn({ names }, 'no permission to install the CustomResourceDefinitions of Evenkeel')
    else if (outcome === 'outdated')
      log.warn(
        { names },
        'no permission to update the CustomResourceDefinitions of Evenkeel; new fields are not stored',
      )
    else log.info({ outcome, names }, 'CustomResourceDefinitions of Evenkeel are installed')
  } catch (error) {
    log.warn(
      { err: error, names },
      'failed to install the CustomResourceDefinitions of Evenkeel; their controllers start when the definitions exist',
    )
  }
}
