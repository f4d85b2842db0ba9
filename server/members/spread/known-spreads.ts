/** The spreads of each namespace, including recently admitted ones that the cache does not show yet. */
import { workloadSpread as spreadKind, type WorkloadSpread } from '@/lib/kube/kinds'
import { type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'
import type { Informer } from '@/server/kube/informer'

/** Longer than any cache lags. */
const EXPIRES_AFTER_MS = 10_000

export class KnownSpreads {
  readonly #announced = new Map<ObjectKey, number>()
  readonly #stop: Stop

  constructor(private readonly parts: { client: KubeClient; spreads: Informer<WorkloadSpread>; clock: Clock }) {
    this.#stop = parts.spreads.onChange((change) => {
      if (change.type !== 'deleted') this.#announced.delete(objectKey(change.object))
    })
  }

  /** Notes that a spread with that key is about to be written. */
  announce(key: ObjectKey): void {
    if (!this.parts.spreads.get(key)) this.#announced.set(key, this.parts.clock.elapsed())
  }

  /** Sorted by name. Reads from the API only while an admitted spread is missing in the cache. */
  async of(namespace: string): Promise<readonly WorkloadSpread[]> {
    const known = this.#expects(namespace)
      ? (await this.parts.client.list(spreadKind, { namespace })).items
      : this.parts.spreads.listNamespace(namespace)
    return known.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  }

  /** Returns the namespaces that have a spread or are about to get one. */
  namespaces(): Set<string> {
    const keys = [...this.parts.spreads.list().map(objectKey), ...this.#announced.keys()]
    return new Set(keys.map((key) => key.slice(0, key.indexOf('/'))))
  }

  /** Reports whether a spread exists or is being created. */
  isUsedIn(namespace: string): boolean {
    return this.parts.spreads.listNamespace(namespace).length > 0 || this.#expects(namespace)
  }

  stop(): void {
    this.#stop()
  }

  #expects(namespace: string): boolean {
    const oldest = this.parts.clock.elapsed() - EXPIRES_AFTER_MS
    for (const [key, at] of this.#announced) {
      if (at < oldest) this.#announced.delete(key)
      else if (key.startsWith(`${namespace}/`)) return true
    }
    return false
  }
}
