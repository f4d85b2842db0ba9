/** Aggregates the statuses of Works in their binding and template. See README.md. */
import { findCondition } from '@/lib/kube/conditions'
import { resourceInterpreterCustomization } from '@/lib/kube/kinds'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, watch } from '@/server/runtime/controller'
import { createDebounce, type DebounceOptions } from '@/server/runtime/debounce'
import { type Binding, bindingKinds, changedBinding, findBinding } from '../shared/binding-kinds'
import { bindingOfWork, indexByBinding } from '../shared/binding-works'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import { acquireTemplateKinds, type TemplateKindsLease } from '../shared/template-kinds'
import { reconcileBindingStatus } from './reconcile'

export interface BindingStatusOptions extends Partial<CompatibilityProfile['bindingStatus']> {
  /** Default 16. */
  concurrency?: number
  /**
   * Works of a binding report in bursts. Default: aggregated after 100 ms if one was applied or its health changed,
   * after 400 ms otherwise, later while many report, and at most every 400 ms.
   */
  debounce?: DebounceOptions
}

const DEBOUNCE: DebounceOptions = {
  settleMs: 100,
  perPendingMs: 2,
  longestSettleMs: 1_500,
  deferrable: { settleMs: 400, perPendingMs: 10, longestSettleMs: 3_000 },
  intervalMs: 400,
}

export function bindingStatusController(context: InterpreterContext, options: BindingStatusOptions = {}): Controller {
  const { concurrency = 16, debounce: debouncing = DEBOUNCE } = options
  const switches = { ...evenkeelProfile.bindingStatus, ...options }
  const debounce = createDebounce(context.clock, debouncing)
  let templates: TemplateKindsLease | undefined
  return {
    name: 'binding-status',
    concurrency,
    watches: bindingKinds.map((kind) => watch({ kind, relevant: isRelevant, keys: changedBinding })),
    reads: [workKind, resourceInterpreterCustomization],
    whenReady: async () => templates?.kinds.whenReady(),
    async reconcile(key) {
      debounce.taken(key)
      if (await reconcileBindingStatus(context, key, switches)) debounce.reported(key)
      if (!findBinding(context.informers, key)) debounce.forget(key)
    },
    start(queue) {
      indexByBinding(context.informers)
      const lease = acquireTemplateKinds(context)
      templates = lease
      const stop = context.informers.of(workKind).onChange((change) => {
        if (!statusChanged(change)) return
        const deferrable = !isAwaited(change)
        for (const key of bindingOfWork(change)) debounce.changed(queue, key, { deferrable })
      })
      return async () => {
        stop()
        lease.release()
      }
    },
  }
}

/** Reports whether a scheduled binding refers to a new version of its template. */
function isRelevant(change: Change<Binding>): boolean {
  if (change.type === 'deleted' || !change.object.status?.lastScheduledTime) return false
  return (
    change.type === 'added' || change.object.spec.resource.resourceVersion !== change.old.spec.resource.resourceVersion
  )
}

/**
 * Reports whether a change is urgent for users: applied or not, healthy or not, present or not. A Work without a report
 * counts as not healthy: its first report is urgent only if it is.
 */
function isAwaited(change: Change<Work>): boolean {
  if (change.type !== 'updated') return true
  const outcome = ({ status, metadata }: Work) => [
    findCondition(status?.conditions, 'Applied')?.status,
    status?.manifestStatuses?.[0]?.health ?? 'Unhealthy',
    metadata.deletionTimestamp,
  ]
  return !deepEqual(outcome(change.object), outcome(change.old))
}

function statusChanged(change: Change<Work>): boolean {
  if (change.type !== 'updated') return change.type === 'deleted'
  return (
    !deepEqual(change.object.status, change.old.status)
    || change.object.metadata.deletionTimestamp !== change.old.metadata.deletionTimestamp
  )
}
