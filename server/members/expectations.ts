/** Writes of this process that its cache does not show yet, so that no pod is created or deleted twice. */
import { pod as podKind, type Pod } from '@/lib/kube/kinds'
import { type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Clock, Stop } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'

/** Longer than any cache lags; afterwards an unobserved write counts as lost. */
const EXPIRES_AFTER_MS = 30_000

interface Created {
  /** Uid of the owner. */
  owner: string
  /** On the monotonic clock. */
  at: number
}

export class Expectations {
  readonly #created = new Map<ObjectKey, Created>()
  readonly #removed = new Set<string>()
  readonly #stop: Stop
  readonly #pods

  constructor(
    informers: Informers,
    private readonly clock: Clock,
  ) {
    this.#pods = informers.of(podKind)
    this.#stop = this.#pods.onChange((change) => {
      const pod = change.type === 'deleted' ? change.old : change.object
      this.#created.delete(objectKey(pod))
      if (change.type === 'deleted' || pod.metadata.deletionTimestamp) this.#removed.delete(pod.metadata.uid)
    })
  }

  /** A pod was created for the owner of that UID. */
  created(owner: string, pod: Pod): void {
    const key = objectKey(pod)
    if (!this.#pods.get(key)) this.#created.set(key, { owner, at: this.clock.elapsed() })
  }

  /** A pod is being removed. */
  removed(pod: Pod): void {
    if (this.#pods.get(objectKey(pod))) this.#removed.add(pod.metadata.uid)
  }

  /** The removal of a pod failed. */
  kept(pod: Pod): void {
    this.#removed.delete(pod.metadata.uid)
  }

  /** Pods created for an owner that the cache does not show yet. */
  unseen(owner: string): ObjectKey[] {
    const oldest = this.clock.elapsed() - EXPIRES_AFTER_MS
    return [...this.#created]
      .filter(([key, entry]) => entry.owner === owner && entry.at >= oldest && !this.#pods.get(key))
      .map(([key]) => key)
  }

  /** False for terminating and recently deleted pods; completed pods count. */
  isStaying(pod: Pod): boolean {
    return !pod.metadata.deletionTimestamp && !this.#removed.has(pod.metadata.uid)
  }

  /** False for completed, terminating and recently deleted pods. */
  isActive(pod: Pod): boolean {
    const { phase } = pod.status ?? {}
    return phase !== 'Succeeded' && phase !== 'Failed' && this.isStaying(pod)
  }

  stop(): void {
    this.#stop()
  }
}
