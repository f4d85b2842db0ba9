/** Probes members and publishes how they are, what they serve and what is free. See README.md. */
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds'
import { CLUSTER_FINALIZER } from '@/lib/kube/names'
import type { Change } from '@/server/kube/informer'
import { type Controller, type KeyQueue, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { createMemberCopies } from './member-copies'
import { reconcile } from './reconcile'

/** All times in milliseconds. */
export interface ClusterStatusOptions {
  /** Between two probes of a member. Default 10 s. */
  frequencyMs?: number
  /** A member must be good for this long until it is Ready again. Default 30 s. */
  successThresholdMs?: number
  /** A member must be bad for this long until it is not Ready any more. Default 30 s. */
  failureThresholdMs?: number
  /** A probe without an answer for this long has failed. Default 32 s. */
  probeTimeoutMs?: number
  /** Between two looks at version and served kinds. Default 10 s. */
  discoveryMs?: number
  /** Changes of nodes and pods are gathered for this long before they are published. Default 500. */
  gatherMs?: number
}

const PATIENCE_MS = 5_000

export function clusterStatusController(context: ReconcilerContext, options: ClusterStatusOptions = {}): Controller {
  const { frequencyMs = 10_000, successThresholdMs = 30_000, failureThresholdMs = 30_000 } = options
  const { probeTimeoutMs = 32_000, discoveryMs = 10_000, gatherMs = 500 } = options
  let queue: KeyQueue | undefined
  const members = {
    copies: createMemberCopies(context, (cluster) => queue?.addAfter(cluster, gatherMs)),
    memories: new Map(),
    rhythm: {
      thresholds: { successMs: successThresholdMs, failureMs: failureThresholdMs },
      probeTimeoutMs,
      discoveryMs,
      patienceMs: PATIENCE_MS,
    },
    frequencyMs,
  }
  return {
    name: 'cluster-status',
    concurrency: 10,
    retry: { baseMs: 5, maxMs: frequencyMs },
    watches: [watch({ kind: clusterKind, relevant: asksForALook })],
    start: (own) => {
      queue = own
      return () => members.copies.stopAll()
    },
    reconcile: (key) => reconcile(context, key, members),
  }
}

/** Its own writes and those of other loops change nothing about a member; the finalizer opens the gate. */
function asksForALook(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return true
  const { object, old } = change
  return object.metadata.generation !== old.metadata.generation || isGuarded(object) !== isGuarded(old)
}

const isGuarded = ({ metadata }: Cluster): boolean => metadata.finalizers?.includes(CLUSTER_FINALIZER) ?? false
