/** Changes the fleet at a steady rate; each change carries the time at which it was written. */
import { cluster, resourceBinding } from '@/lib/kube/kinds'
import { seededRng } from '@/lib/std/rng'
import type { KubeClient } from '@/server/kube/client'
import { steadily } from '../steadily'
import {
  bindingNameOf,
  clockNow,
  clusterStatus,
  evictionTasks,
  LEAVING_EVERY,
  namespaceOf,
  PAGES,
  type Spread,
  stampOf,
  statusAt,
} from './fleet'

const TICK_MS = 5

export interface WriterShape {
  bindings: number
  spread: Spread
  changesPerSecond: number
}

export class Writer {
  written = 0
  readonly #rng = seededRng(1121)
  #isStopped = false

  constructor(
    private readonly client: KubeClient,
    private readonly shape: WriterShape,
  ) {}

  stop(): void {
    this.#isStopped = true
  }

  /** Sequential, so that no change waits for others after it got its time. Delays are made up. */
  async run(): Promise<void> {
    for await (const due of steadily(this.shape.changesPerSecond, TICK_MS)) {
      if (this.#isStopped) return
      for (let written = 0; written < due; written += 1) {
        await this.#change(this.#rng.below(100))
        this.written += 1
      }
    }
  }

  /** Of a hundred changes one is of a cluster, ten of a workload that is leaving, nine of one with an open page. */
  #change(kind: number): Promise<unknown> {
    const stamp = stampOf(clockNow())
    const { bindings, spread } = this.shape
    if (kind === 0)
      return this.client.patch(
        cluster,
        { name: spread.clusters[this.#rng.below(spread.clusters.length)]! },
        { type: 'merge', value: { status: clusterStatus(stamp) } },
        { subresource: 'status' },
      )
    if (kind <= 10)
      return this.#patch(LEAVING_EVERY * this.#rng.below(Math.ceil(bindings / LEAVING_EVERY)), {
        spec: { gracefulEvictionTasks: evictionTasks(stamp, spread) },
      })
    const index = kind <= 19 ? 1 + this.#rng.below(PAGES) : this.#rng.below(bindings)
    return this.#patch(index, { status: statusAt(stamp, spread.placementOf(index)) }, 'status')
  }

  #patch(index: number, value: object, subresource?: 'status'): Promise<unknown> {
    const ref = { namespace: namespaceOf(index), name: bindingNameOf(index) }
    return this.client.patch(resourceBinding, ref, { type: 'merge', value }, subresource ? { subresource } : {})
  }
}
