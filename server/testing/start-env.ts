/**
 * A whole control plane for one test: the embedded API server in memory on a free port, a clock that moves by hand,
 * and everything that a reconciler is given. What tests look at is the state of the API, not calls.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { allKinds } from '@/lib/kube/kinds'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { type Event, event as eventKind } from '@/lib/kube/kinds/event'
import { namespace as namespaceKind } from '@/lib/kube/kinds/namespace'
import type { Kind } from '@/lib/kube/kind'
import type { Draft, KubeObject } from '@/lib/kube/object'
import { seededRng } from '@/lib/std/rng'
import { aCluster, type ClusterOptions } from '@/lib/testing/builders'
import { createFakeClock, type FakeClock } from '@/lib/testing/fake-clock'
import { type ApiServer, createMemoryStore, type Restore, startApiServer } from '@/server/apiserver'
import type { KubeClient } from '@/server/kube/client'
import { createEventRecorder, type EventRecorder } from '@/server/kube/events'
import { createInformers } from '@/server/kube/informers'
import type { Informers } from '@/server/kube/informer'
import { clientOver, createRestClient, type RestClient } from '@/server/kube/rest-client'
import type { Transport } from '@/server/kube/transport'
import type { CompatibilityProfile } from '@/server/reconcilers/shared/compatibility'
import { createInterpreter, type InterpreterContext } from '@/server/reconcilers/shared/interpreter'
import type { Controller, Logger } from '@/server/runtime/controller'
import { createManager } from '@/server/runtime/manager'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'

export interface EnvOptions {
  /** Where the clock starts; default 2026-01-01 at midnight UTC. */
  now?: number
  /** Default: errors only, unless `EVENKEEL_TEST_LOG` names a level. */
  log?: Logger
  /** Identities of new objects. Default: counted up. */
  uid?: () => string
  /** Seed of all chance in the test. Default 1. */
  seed?: number
  /**
   * How the client reaches the server. Default: inside the process, as the embedded product does it, with everything
   * that is handed out frozen.
   */
  transport?: 'local' | 'http'
  /** What the server admits and how kinds are interpreted. Default: as Evenkeel does. */
  compatibility?: CompatibilityProfile
}

export interface EventuallyOptions {
  /** Real time after which the last failure is thrown. Default 15 s. */
  timeoutMs?: number
  /** How far the fake clock moves at each look, every 10 ms. Default 20; 0 keeps it still. */
  flowMs?: number
}

export interface Env {
  readonly url: string
  readonly token: string
  readonly clock: FakeClock
  readonly client: KubeClient
  readonly restore: Restore
  readonly informers: Informers
  readonly events: EventRecorder
  readonly log: Logger
  /** What reconcilers are given; the same one every time. */
  context(): InterpreterContext
  /** Starts these loops and resolves when their caches are synced. Stopped by `close`. */
  run(...controllers: Controller[]): Promise<void>
  /** Moves the fake clock, then lets everything that became due begin. */
  advance(ms: number): Promise<void>
  /** Looks again and again until `assertion` does not throw; returns what it returned. */
  eventually<T>(assertion: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>
  /** Events as the API holds them, oldest first. */
  recordedEvents(): Promise<Event[]>
  /** Creates an object and, when the draft has a `status`, writes that too. */
  create<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>): Promise<T>
  createCluster(name: string, options?: ClusterOptions): Promise<Cluster>
  createNamespace(name: string): Promise<void>
  close(): Promise<void>
}

const TOKEN = 'test-admin'
const ADMIN = { user: 'test-admin', groups: ['system:masters'] }

/** Starts an empty control plane; `close()` it in `afterEach` or with `await using`. */
export async function startEnv(options: EnvOptions = {}): Promise<Env & AsyncDisposable> {
  const clock = createFakeClock(options.now)
  const random = seededRng(options.seed ?? 1).next
  const log = options.log ?? createLogger({ level: testLogLevel(), pretty: true })
  const server = await startApiServer({
    store: createMemoryStore(),
    kinds: allKinds,
    host: '127.0.0.1',
    port: 0,
    clock,
    uid: options.uid ?? sequentialUid(),
    random,
    tokens: [{ token: TOKEN, ...ADMIN }],
    ...options.compatibility?.admission,
  })
  return new TestEnv(server, {
    client: clientOf(server, options.transport ?? 'local'),
    clock,
    random,
    log,
    ...(options.compatibility && { compatibility: options.compatibility }),
  })
}

function clientOf(server: ApiServer, transport: 'local' | 'http'): RestClient {
  const userAgent = 'evenkeel-test'
  if (transport === 'http') return createRestClient({ url: server.url, token: TOKEN, userAgent })
  return clientOver(readingLater(server.local({ caller: ADMIN, freeze: true })), userAgent)
}

/** Informers see a write only after its writer has continued: a test moves the clock after that, not before. */
function readingLater(transport: Transport): Transport {
  return {
    ...transport,
    call: async (request) => {
      const answer = await transport.call(request)
      if (request.method === 'GET') await nextTurn()
      return answer
    },
  }
}

function testLogLevel(): 'debug' | 'info' | 'warn' | 'error' | 'silent' {
  const level = process.env.EVENKEEL_TEST_LOG
  return level === 'debug' || level === 'info' || level === 'warn' || level === 'error' ? level : 'silent'
}

/** `00000000-0000-4000-8000-000000000001` and so on: the same identities in every run. */
export function sequentialUid(): () => string {
  let count = 0
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
}

class TestEnv implements Env, AsyncDisposable {
  readonly token = TOKEN
  readonly url: string
  readonly clock: FakeClock
  readonly log: Logger
  readonly client: RestClient
  readonly restore: Restore
  readonly informers: Informers
  readonly events: EventRecorder
  readonly #context: InterpreterContext
  readonly #manager
  #started = false

  constructor(
    private readonly server: ApiServer,
    parts: { client: RestClient; clock: FakeClock; random: () => number; log: Logger } & Pick<
      EnvOptions,
      'compatibility'
    >,
  ) {
    const { client, clock, random, log } = parts
    this.url = server.url
    this.restore = server.restore
    this.clock = clock
    this.log = log
    this.client = client
    const onError = (error: unknown): void => log.error({ err: error }, 'background task failed')
    // Connections are real, so their back-off counts real time; only the loops live in the time of the test.
    this.informers = createInformers({ client: this.client, clock: systemClock, random, onError, freeze: true })
    this.events = createEventRecorder({ client: this.client, clock, random, onError, burst: Infinity })
    const interpreter = createInterpreter(this.informers, parts.compatibility?.interpreter)
    this.#context = { client, informers: this.informers, interpreter, clock, events: this.events, log, random }
    this.#manager = createManager({ informers: this.informers, clock, log })
  }

  context(): InterpreterContext {
    return this.#context
  }

  async run(...controllers: Controller[]): Promise<void> {
    for (const controller of controllers) this.#manager.add(controller)
    if (this.#started) return this.informers.whenSynced()
    this.#started = true
    await this.#manager.start()
  }

  async advance(ms: number): Promise<void> {
    this.clock.advance(ms)
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }

  async eventually<T>(assertion: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
    const { timeoutMs = 15_000, flowMs = 20 } = options
    const deadline = performance.now() + timeoutMs
    for (;;) {
      try {
        return await assertion()
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
      await sleep(10)
      this.clock.advance(flowMs)
    }
  }

  async recordedEvents(): Promise<Event[]> {
    await this.events.flush()
    const { items } = await this.client.list(eventKind)
    return items.toSorted((a, b) => (a.firstTimestamp ?? '').localeCompare(b.firstTimestamp ?? ''))
  }

  async create<T extends KubeObject>(kind: Kind<T>, draft: Draft<T>): Promise<T> {
    const created = await this.client.create(kind, draft)
    if (!('status' in draft) || draft.status === undefined) return created
    return this.client.update(kind, { ...created, status: draft.status }, { subresource: 'status' })
  }

  createCluster(name: string, options: ClusterOptions = {}): Promise<Cluster> {
    return this.create(clusterKind, aCluster(name, options))
  }

  async createNamespace(name: string): Promise<void> {
    await this.client.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }

  async close(): Promise<void> {
    await this.#manager.stop()
    await this.#context.interpreter.close()
    await this.client.close()
    await this.server.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
