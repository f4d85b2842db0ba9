/** A control plane with simulated members in memory and a simulated clock, isolated from other processes. */
import type { FailoverDefaults } from '@/lib/domain/failover'
import type { EpochMs } from '@/lib/std/clock'
import { seededRng } from '@/lib/std/rng'
import type { SimulatedClock } from '@/lib/std/simulated-clock'
import { type Restore, startApiServer, type Store } from '@/server/apiserver'
import { servedKinds } from '@/server/embedded/served-kinds'
import type { KubeClient } from '@/server/kube/client'
import type { EventRecorder } from '@/server/kube/events'
import type { Informers } from '@/server/kube/informer'
import { LocalWebhooks } from '@/server/kube/local-webhooks'
import { createInformers } from '@/server/kube/informers'
import { clientOver } from '@/server/kube/rest-client'
import type { Transport } from '@/server/kube/transport'
import type { Controller, Logger, ReconcilerContext } from '@/server/runtime/controller'
import { createManager } from '@/server/runtime/manager'
import { Activity, untilQuiet } from './quiescence'

export interface PlaneOptions {
  clock: SimulatedClock
  store: Store
  /** The same seed gives the same run. */
  seed: number
  log: Logger
  failoverDefaults: FailoverDefaults
  /** Admits what Karmada admits, also where rules of ours refuse it. */
  upstream: boolean
  /** The controllers, members included, over this context. */
  controllers: (context: PlaneContext, activity: Activity) => RunningParts
  /** Called before the controllers start. */
  restore?: ((plane: EmptyPlane) => Promise<void>) | undefined
}

/** An empty control plane whose controllers do not run yet. */
export interface EmptyPlane {
  transport: Transport
  restore: Restore
  now: EpochMs
  uid: () => string
}

export type PlaneContext = ReconcilerContext & { localWebhooks: LocalWebhooks }

export interface RunningParts {
  controllers: readonly Controller[]
  close(): Promise<void>
}

export interface Plane {
  readonly clock: SimulatedClock
  /** When it was started, in its own time. */
  readonly startedAt: number
  readonly client: KubeClient
  readonly informers: Informers
  readonly store: Store
  /** Requests so far. */
  readonly requests: number
  /** Resolves when nothing happens any more unless time moves. */
  rest(): Promise<void>
  /** Moves time on by this much, from one timer to the next, each when everything due before it has been done. */
  pass(ms: number): Promise<void>
  close(): Promise<void>
}

const ADMIN = { user: 'rehearsal', groups: ['system:masters'] }
/** Events are dropped: the record of a rehearsal holds more. */
const noEvents: EventRecorder = { record: () => undefined, flush: () => Promise.resolve() }

/** Starts an empty control plane. Close it. */
export async function startPlane(options: PlaneOptions): Promise<Plane> {
  const { clock, store, seed, log, failoverDefaults, upstream } = options
  const startedAt = clock.now()
  const chance = seededRng(seed)
  // Streams of their own: names that the server makes up must not change when watches begin again.
  const randomOf = (): (() => number) => seededRng(chance.below(2 ** 32)).next
  const localWebhooks = new LocalWebhooks()
  const uid = countedIds()
  const server = await startApiServer({
    store,
    kinds: servedKinds(failoverDefaults),
    host: '127.0.0.1',
    port: 0,
    clock,
    uid,
    random: randomOf(),
    tokens: [],
    upstream,
    localWebhook: localWebhooks.find,
  })
  const activity = new Activity()
  const transport = activity.countIn(server.local({ caller: ADMIN }))
  await options.restore?.({ transport, restore: server.restore, now: startedAt, uid })
  const client = clientOver(transport, 'evenkeel')
  const onError = (error: unknown): void => log.error({ err: error }, 'background task failed')
  const informers = createInformers({ client, clock, random: randomOf(), onError })
  const context = {
    client,
    informers,
    clock,
    events: noEvents,
    log,
    random: randomOf(),
    localWebhooks,
    connectionClock: clock,
  }
  const parts = options.controllers(context, activity)
  const manager = createManager({ informers, clock, log })
  for (const controller of parts.controllers) manager.add(controller)
  await manager.start()
  const rest = (): Promise<void> => untilQuiet(activity, () => store.revision)
  return {
    clock,
    startedAt,
    client,
    informers,
    store,
    get requests() {
      return activity.begun
    },
    rest,
    pass: (ms) => pass(clock, ms, rest),
    close: async () => {
      await manager.stop()
      await parts.close()
      await client.close()
      await server.close()
      await store.close()
    },
  }
}

async function pass(clock: SimulatedClock, ms: number, rest: () => Promise<void>): Promise<void> {
  const until = clock.now() + ms
  await rest()
  while (clock.now() < until) {
    clock.advance(Math.min(clock.nextDue ?? until, until) - clock.now())
    await rest()
  }
}

/** Identities that are the same in every run. */
function countedIds(): () => string {
  let count = 0
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
}
