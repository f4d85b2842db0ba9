/** Counts the actual and missing pods of a subset, from its pods and the webhook's entries. */
import type { Pod, SpreadSubset, SubsetStatus } from '../../kube/kinds'
import { keyOf } from '../../kube/object'
import { parseTime, type EpochMs } from '../../std/clock'
import { limitOf } from './limits'
import { CREATION_TIMEOUT_MS, DELETION_TIMEOUT_MS, readMatched, UNLIMITED } from './names'
import { isActive } from './pod-facts'
import type { Deadlines, SpreadEvent } from './pass'

export interface CountSnapshot {
  subset: SpreadSubset
  /** Pods of this subset, including finished ones. */
  pods: readonly Pod[]
  old: SubsetStatus | undefined
  /** Size of the workload. */
  size: number
  /** That of the spread and its pods. */
  namespace?: string | undefined
}

export interface Count {
  row: SubsetStatus
  events: SpreadEvent[]
}

/**
 * Counts one subset; undefined if its limit is invalid or negative. An entry of the webhook ends when its pod appears
 * or disappears, or after a timeout. Pending timeouts are added to `deadlines`.
 */
export function countSubset(
  { subset, pods, old, size, namespace }: CountSnapshot,
  deadlines: Deadlines,
): Count | undefined {
  const limit = limitOf(subset.maxReplicas, size, 'strict')
  if (!limit.ok || (limit.value ?? 0) < 0) return undefined
  const tally = new Tally({ limit: limit.value, old, namespace }, deadlines)
  for (const pod of pods) tally.see(pod)
  return { row: tally.close(subset.name), events: tally.events }
}

class Tally {
  readonly events: SpreadEvent[] = []
  readonly #creating: Map<string, string>
  readonly #deleting = new Map<string, string>()
  #active = 0
  #missing: number

  constructor(
    private readonly known: { limit: number | undefined } & Pick<CountSnapshot, 'old' | 'namespace'>,
    private readonly deadlines: Deadlines,
  ) {
    this.#missing = known.limit ?? UNLIMITED
    this.#creating = new Map(Object.entries(known.old?.creatingPods ?? {}))
  }

  see(pod: Pod): void {
    const { name, annotations } = pod.metadata
    this.#creating.delete(readMatched(annotations)?.uid ?? name)
    if (!isActive(pod)) return
    this.#active += 1
    this.#take()
    const since = this.known.old?.deletingPods?.[name]
    if (since !== undefined) this.#expectGone(name, since)
  }

  /** Entries without a pod are still being created. */
  close(name: string): SubsetStatus {
    const creating: [string, string][] = []
    for (const [key, since] of this.#creating) {
      if (this.deadlines.isOver(parseTime(since) + CREATION_TIMEOUT_MS)) {
        // upstream: OpenKruise pkg/controller/workloadspread
        const message = `Pod ${this.#keyOf(key)} was expected to be created but it wasn't`
        this.events.push({ type: 'Warning', reason: 'CreatePodFailed', message })
      } else {
        creating.push([key, since])
        this.#take()
      }
    }
    return {
      name,
      replicas: this.#active,
      missingReplicas: this.#missing,
      ...(creating.length > 0 && { creatingPods: Object.fromEntries(creating) }),
      ...(this.#deleting.size > 0 && { deletingPods: Object.fromEntries(this.#deleting) }),
    }
  }

  #expectGone(name: string, since: string): void {
    if (this.deadlines.isOver(parseTime(since) + DELETION_TIMEOUT_MS)) {
      // upstream: OpenKruise pkg/controller/workloadspread
      const message = `Pod ${this.#keyOf(name)} was expected to be deleted but it wasn't`
      this.events.push({ type: 'Warning', reason: 'DeletePodFailed', message })
      return
    }
    this.#deleting.set(name, since)
    const { limit } = this.known
    if (limit !== undefined && this.#missing < limit) this.#missing += 1
  }

  #keyOf(name: string): string {
    return keyOf({ name, namespace: this.known.namespace })
  }

  #take(): void {
    if (this.#missing > 0) this.#missing -= 1
  }
}

/** Reports whether a row contains no information. */
export function isEmptyRow({ replicas, creatingPods, deletingPods }: SubsetStatus): boolean {
  return replicas === 0 && !creatingPods && !deletingPods
}

/** Returns when an admitted pod counts as not created, or a pod to delete as not deleted. */
export function entryDeadlines({
  creatingPods,
  deletingPods,
}: SubsetStatus): { key: string; at: EpochMs; kind: 'creating' | 'deleting' }[] {
  const entries = (pods: Readonly<Record<string, string>> | undefined, kind: 'creating' | 'deleting', ms: number) =>
    Object.entries(pods ?? {}).map(([key, since]) => ({ key, at: parseTime(since) + ms, kind }))
  return [
    ...entries(creatingPods, 'creating', CREATION_TIMEOUT_MS),
    ...entries(deletingPods, 'deleting', DELETION_TIMEOUT_MS),
  ]
}
