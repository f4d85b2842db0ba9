/**
 * Returns the pod counts that a member reports: the actual ones, unless its Cluster is set to report every pod as
 * ready.
 */
import type { Kind } from '@/lib/kube/kind'
import { pod as podKind, type Pod } from '@/lib/kube/kinds'
import { type KubeObject, type ObjectKey, objectKey } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { Change } from '@/server/kube/informer'
import type { KeyQueue } from '@/server/runtime/controller'
import { GATHER_MS, type MemberContext } from '../member-context'
import { ownerKey } from '../ownership'
import { countPods } from '../pod-state'

export function reportedCounts(
  { clock, settings }: MemberContext,
  pods: readonly Pod[],
  minReadySeconds: number,
): ReturnType<typeof countPods> {
  if (settings().reportsReady) return { ready: pods.length, available: pods.length }
  return countPods(pods, minReadySeconds, clock.now())
}

/** Queues the workload of a pod that changed. */
export type OnPod = (queue: KeyQueue, key: ObjectKey, change: Change<Pod>) => void

const gather: OnPod = (queue, key) => queue.addAfter(key, GATHER_MS)

/** Requeues a workload when its pods have changed, and all workloads of the kind when the reporting setting changes. */
export function followPods<T extends KubeObject>(
  { informers, onSettings, settings }: MemberContext,
  kind: Kind<T>,
  onPod = gather,
): (queue: KeyQueue) => Stop {
  return (queue) => {
    const stops = [
      informers.of(podKind).onChange((change) => {
        const key = ownerKey(change.type === 'deleted' ? change.old : change.object, kind)
        if (key !== undefined) onPod(queue, key, change)
      }),
      onSettings((before) => {
        if (before.reportsReady === settings().reportsReady) return
        for (const workload of informers.of(kind).list()) queue.add(objectKey(workload))
      }),
    ]
    return () => stops.forEach((stop) => stop())
  }
}
