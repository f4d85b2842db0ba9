/** Drops eviction tasks when their replacement is healthy or their time is up. See README.md. */
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds, changedBinding } from '../shared/binding-kinds'
import { reconcile } from './reconcile'

export interface GracefulEvictionOptions {
  /** Grace of a task that names none, in milliseconds. Default ten minutes. */
  timeoutMs?: number
  /** Whether nothing scheduled counts as a healthy replacement, as upstream. Default false. */
  emptyCountsAsHealthy?: boolean
}

export function gracefulEvictionController(context: ReconcilerContext, options: GracefulEvictionOptions = {}): Controller {
  const { timeoutMs = 600_000, emptyCountsAsHealthy = false } = options
  return {
    name: 'graceful-eviction',
    concurrency: 5,
    watches: bindingKinds.map((kind) => watch({ kind, relevant: hasTasks, keys: changedBinding })),
    reconcile: (key) => reconcile(context, key, { timeoutMs, emptyCountsAsHealthy }),
  }
}

function hasTasks(change: Change<Binding>): boolean {
  return change.type !== 'deleted' && (change.object.spec.gracefulEvictionTasks?.length ?? 0) > 0
}
