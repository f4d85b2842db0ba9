/** Worker threads that simulate losses of large fleets. Each thread keeps the fleet and receives its changes. */
import { availableParallelism } from 'node:os'
import { setImmediate as pause } from 'node:timers/promises'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { type Fix, keyOfWorkload, type Outcome } from '@/lib/domain/rebalance/loss'
import type { AnyBinding } from '@/lib/view/project/binding-facts'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { startWorker } from '@/server/runtime/worker-thread'
import type { LossComputation } from './loss-computation'
import type { LossTask } from './loss-worker'

const MAX_THREADS = 4
const HEAP_MB = 2048
/** Bindings per message: serialising it blocks requests for some milliseconds. */
const BINDINGS_AT_ONCE = 250

export interface ThreadedWork {
  /** Milliseconds since the computation began. */
  elapsed: () => number
  /** False ends the work early. */
  isWanted: () => boolean
}

export class LossThreads {
  readonly #threads: LossThread[]

  constructor(count = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1))) {
    this.#threads = Array.from({ length: count }, () => new LossThread())
  }

  get count(): number {
    return this.#threads.length
  }

  /** Simulates the sets of `computation` until none is left. Rejects when a thread ends. */
  async compute(computation: LossComputation, { elapsed, isWanted }: ThreadedWork): Promise<void> {
    await Promise.all(
      this.#threads.map(async (thread) => {
        await thread.load(computation)
        while (isWanted()) {
          if (computation.removeFixes()) computation.addFixes(await thread.findFixes(computation.question.sets))
          const set = computation.take(elapsed())
          if (!set) return
          computation.learn(set, await thread.simulate(set.clusters), elapsed())
        }
      }),
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}

class LossThread {
  readonly #worker: Worker
  readonly #send: (task: LossTask) => void
  #asked: PromiseWithResolvers<unknown> | undefined
  /** Why the thread ended. */
  #problem: Error | undefined
  #bindings = new Map<string, AnyBinding>()
  #clusters = new Map<string, Cluster>()

  /** The thread does not keep the process alive. */
  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#worker = startWorker(new URL('./loss-worker.ts', import.meta.url), { port: port2, heapMb: HEAP_MB })
    this.#worker.unref()
    this.#send = (task) => port1.postMessage(task)
    port1.on('message', (answer: unknown) => this.#asked?.resolve(answer)).unref()
    this.#worker.once('error', (error: Error) => this.#end(error))
    // log: the text of an error
    this.#worker.once('exit', () => this.#end(new Error('the thread ended')))
  }

  async load({ fleet: { bindings, clusters, ...fleet } }: LossComputation): Promise<void> {
    const next = new Map(bindings.map((binding) => [keyOfWorkload(binding), binding]))
    const changed = [...next].flatMap(([key, binding]) => (this.#bindings.get(key) === binding ? [] : [binding]))
    for (let at = 0; at < changed.length; at += BINDINGS_AT_ONCE) {
      this.#send({ bindings: changed.slice(at, at + BINDINGS_AT_ONCE).map(essentials) })
      await pause()
    }
    this.#send({
      removed: [...this.#bindings.keys()].filter((key) => !next.has(key)),
      clusters: clusters.filter((cluster) => this.#clusters.get(cluster.metadata.name) !== cluster),
      present: clusters.map(({ metadata }) => metadata.name),
      fleet,
    })
    this.#bindings = next
    this.#clusters = new Map(clusters.map((cluster) => [cluster.metadata.name, cluster]))
  }

  simulate(lost: readonly string[]): Promise<Outcome> {
    return this.#ask<Outcome>({ lost })
  }

  findFixes(sets: readonly (readonly string[])[]): Promise<Fix[]> {
    return this.#ask<Fix[]>({ fixesOf: sets })
  }

  async #ask<T>(task: LossTask): Promise<T> {
    if (this.#problem) throw this.#problem
    const answered = Promise.withResolvers<T>()
    this.#asked = answered as PromiseWithResolvers<unknown>
    this.#send(task)
    return answered.promise
  }

  #end(problem: Error): void {
    this.#problem ??= problem
    this.#asked?.reject(problem)
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Returns a binding without the parts that eviction and scheduling do not read, which are most of it. */
function essentials({ kind, metadata, spec, status = {} }: AnyBinding): AnyBinding {
  const { name, namespace, generation, labels, annotations } = metadata
  const { lastScheduledTime, schedulerObservedGeneration, schedulerObservingAffinityName } = status
  const aggregatedStatus = status.aggregatedStatus?.map(({ clusterName, health }) => ({ clusterName, health }))
  return {
    kind,
    metadata: { name, namespace, generation, labels, annotations },
    spec,
    status: { lastScheduledTime, schedulerObservedGeneration, schedulerObservingAffinityName, aggregatedStatus },
  } as AnyBinding
}
