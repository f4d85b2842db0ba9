/** The worker thread that simulates losses of a large fleet. The build bundles it as a separate file. */
import { type MessagePort, workerData } from 'node:worker_threads'
import {
  findFixes,
  type Fix,
  keyOfWorkload,
  type LossFleet,
  LossSimulation,
  type Outcome,
} from '@/lib/domain/rebalance/loss'

type Bindings = LossFleet['bindings']
type Clusters = LossFleet['clusters']

/** Changed parts of the fleet since the thread's copy; bindings may arrive in several messages, before the rest. */
export type LossTask =
  | { bindings: Bindings }
  | {
      removed: readonly string[]
      clusters: Clusters
      present: readonly string[]
      fleet: Omit<LossFleet, 'bindings' | 'clusters'>
    }
  /** Answered with the outcome. */
  | { lost: readonly string[] }
  /** Answered with the fixes of these losses. */
  | { fixesOf: readonly (readonly string[])[] }

class LossWorker {
  readonly #bindings = new Map<string, Bindings[number]>()
  readonly #clusters = new Map<string, Clusters[number]>()
  #fleet: LossFleet | undefined
  #simulation: LossSimulation | undefined

  perform(task: LossTask): Outcome | Fix[] | undefined {
    if ('lost' in task) return this.#simulate(task.lost)
    if ('fixesOf' in task) return this.#findFixes(task.fixesOf)
    if ('bindings' in task) {
      for (const binding of task.bindings) this.#bindings.set(keyOfWorkload(binding), binding)
      return undefined
    }
    for (const key of task.removed) this.#bindings.delete(key)
    for (const cluster of task.clusters) this.#clusters.set(cluster.metadata.name, cluster)
    const clusters = task.present.map((name) => this.#clusters.get(name)!)
    this.#fleet = { ...task.fleet, bindings: [...this.#bindings.values()], clusters }
    this.#simulation = new LossSimulation(this.#fleet, this.#simulation)
    return undefined
  }

  /** Other threads may have computed some of these losses. */
  #findFixes(sets: readonly (readonly string[])[]): Fix[] {
    const [fleet, simulation] = [this.#fleet!, this.#simulation!]
    for (const names of sets) if (!simulation.outcome(names)) simulation.learn(this.#simulate(names))
    return toEnd(findFixes({ fleet, simulation, sets }))
  }

  /** Pairs reuse the decisions of their clusters, so the single clusters come first. */
  #simulate(names: readonly string[]): Outcome {
    const isPair = names.length === 2
    if (isPair) for (const name of names) if (!this.#simulation!.outcome([name])) this.#simulate([name])
    const outcome = this.#lose(names)
    if (!isPair) this.#simulation!.learn(outcome)
    return outcome
  }

  #lose(names: readonly string[]): Outcome {
    return toEnd(this.#simulation!.lose(names))
  }
}

function toEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const { port } = workerData as { port: MessagePort }
const worker = new LossWorker()

port.on('message', (task: LossTask) => {
  const answer = worker.perform(task)
  if (answer) port.postMessage(answer)
})
