/** Creates and updates a Work for every cluster of a binding. See README.md. */
import { resourceInterpreterCustomization } from '@/lib/kube/kinds'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import type { KubeObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import type { Change } from '@/server/kube/informer'
import { type Controller, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds, changedBinding } from '../shared/binding-kinds'
import { bindingOfWork, indexByBinding } from '../shared/binding-works'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import { acquireTemplateKinds, overrideKinds, type TemplateKindsLease } from '../shared/template-kinds'
import { overriddenBindings } from './observe'
import { type BindingPassOptions, reconcileBinding } from './reconcile'

export interface BindingOptions extends Partial<CompatibilityProfile['binding']> {
  /**
   * Make before break: Works in former clusters stay until every scheduled cluster reports its replicas as healthy, or
   * until `timeoutMs` (default ten minutes). Default false: they are deleted first.
   */
  removeOrphansAfterApplied?: boolean | { timeoutMs: number }
  /** Default 16. */
  concurrency?: number
}

const DEFAULT_KEEP_MS = 600_000

export function bindingController(context: InterpreterContext, options: BindingOptions = {}): Controller {
  const { removeOrphansAfterApplied = false, concurrency = 16 } = options
  const { recreateWorks, recordEveryPass } = { ...evenkeelProfile.binding, ...options }
  const makeBeforeBreak =
    removeOrphansAfterApplied === true ? { timeoutMs: DEFAULT_KEEP_MS } : removeOrphansAfterApplied
  const pass: BindingPassOptions = {
    removeOrphansAfterApplied: makeBeforeBreak || undefined,
    keptSince: new Map(),
    recreateWorks,
    recordEveryPass,
  }
  let templates: TemplateKindsLease | undefined
  return {
    name: 'binding',
    concurrency,
    watches: [
      ...bindingKinds.map((kind) =>
        watch({
          kind,
          relevant: (change: Change<Binding>) => isRelevant(change) && (recordEveryPass || !isOnlyTriggered(change)),
          keys: changedBinding,
        }),
      ),
      ...overrideKinds.map((kind) =>
        watch({ kind, relevant: isRelevant, keys: (change) => overriddenBindings(context.informers, change) }),
      ),
      watch({ kind: workKind, relevant: (change) => concernsBinding(change, pass), keys: bindingOfWork }),
    ],
    reads: [clusterKind, resourceInterpreterCustomization],
    whenReady: async () => templates?.kinds.whenReady(),
    reconcile: (key) => reconcileBinding(context, key, pass),
    start() {
      indexByBinding(context.informers)
      const lease = acquireTemplateKinds(context)
      templates = lease
      return async () => {
        lease.release()
      }
    },
  }
}

/** Changes of status and metadata are irrelevant; only the spec counts. */
function isRelevant(change: Change<KubeObject>): boolean {
  if (change.type !== 'updated') return true
  const { generation, deletionTimestamp } = change.object.metadata
  return generation !== change.old.metadata.generation || deletionTimestamp !== change.old.metadata.deletionTimestamp
}

/** A trigger asks the scheduler to decide again. Works contain nothing of it, only of what the scheduler decides then. */
function isOnlyTriggered(change: Change<Binding>): boolean {
  if (change.type !== 'updated') return false
  const { old, object } = change
  if (old.spec.rescheduleTriggeredAt === object.spec.rescheduleTriggeredAt) return false
  if (old.metadata.deletionTimestamp !== object.metadata.deletionTimestamp) return false
  return deepEqual(omit(old.spec, 'rescheduleTriggeredAt'), omit(object.spec, 'rescheduleTriggeredAt'))
}

/** A deleted Work is created again. With make before break, status changes count too. */
function concernsBinding(
  change: Change<Work>,
  { keptSince, removeOrphansAfterApplied, recreateWorks }: BindingPassOptions,
): boolean {
  if (change.type === 'deleted') return recreateWorks
  if (change.type === 'added' || !removeOrphansAfterApplied) return false
  return keptSince.size > 0 && !deepEqual(change.object.status, change.old.status)
}
