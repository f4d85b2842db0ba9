/** Probes members and publishes their readiness, API resources and free capacity. See README.md. */
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import type { Change } from '@/server/kube/informer'
import { type Controller, type KeyQueue, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { createMemberCopies } from './member-copies'
import { reconcile } from './reconcile'

/** All durations are in milliseconds. */
export interface ClusterStatusOptions {
  /** Interval between probes of a member. Default 10 s. */
  frequencyMs?: number
  /** How long a member must respond before it is Ready again. Default 30 s. */
  successThresholdMs?: number
  /** How long a member must fail before it is no longer Ready. Default 30 s. */
  failureThresholdMs?: number
  /** Timeout of a probe. Default 32 s. */
  probeTimeoutMs?: number
  /** Interval between reads of version and API resources. Default 10 s. */
  discoveryMs?: number
  /** How long changes of nodes and pods are collected before they are published. Default 500. */
  gatherMs?: number
}

const TIMEOUT_MS = 5_000

export function clusterStatusController(context: ReconcilerContext, options: ClusterStatusOptions = {}): Controller {
  const { frequencyMs = 10_000, successThresholdMs = 30_000, failureThresholdMs = 30_000 } = options
  const { probeTimeoutMs = 32_000, discoveryMs = 10_000, gatherMs = 500 } = options
  let queue: KeyQueue | undefined
  const members = {
    copies: createMemberCopies(context, (cluster) => queue?.addAfter(cluster, gatherMs)),
    memories: new Map(),
    timing: {
      thresholds: { successMs: successThresholdMs, failureMs: failureThresholdMs },
      probeTimeoutMs,
      discoveryMs,
      syncTimeoutMs: TIMEOUT_MS,
    },
    frequencyMs,
  }
  return {
    name: 'cluster-status',
    concurrency: 10,
    retry: { baseMs: 5, maxMs: frequencyMs },
    watches: [watch({ kind: clusterKind, relevant: needsReconcile })],
    start: (own) => {
      queue = own
      return () => members.copies.stopAll()
    },
    reconcile: (key) => reconcile(context, key, members),
  }
}

/**
 * Reports whether a change needs a reconcile. Status writes and those of other controllers do not affect a member; the
 * finalizer starts the probes.
 */
function needsReconcile(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return true
  const { object, old } = change
  return object.metadata.generation !== old.metadata.generation || isGuarded(object) !== isGuarded(old)
}

const isGuarded = ({ metadata }: Cluster): boolean => metadata.finalizers?.includes(CLUSTER_FINALIZER) ?? false
