/** Collects status and health of member objects in their Works. See README.md. */
import { InterpretError, interpretHealth, type Manifest } from '@/lib/domain/interpreter'
import { manifestsOf, ownerWorkKeyOf } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { Controller } from '@/server/runtime/controller'
import { createDebounce, type DebounceOptions } from '@/server/runtime/debounce'
import { type InterpreterContext, interpreterKinds, onInterpreterChange } from '../shared/interpreter'
import { acquireMemberWatch, type MemberWatch } from '../shared/member-watch'
import { reconcileWorkStatus } from './reconcile'

export interface WorkStatusOptions {
  /** Default 16. */
  concurrency?: number
  /**
   * Member objects change in bursts during a rollout. Default: changed health after 50 ms, other changes after 400 ms,
   * both later while many objects change, and at most every 400 ms.
   */
  debounce?: DebounceOptions
}

const DEBOUNCE: DebounceOptions = {
  settleMs: 50,
  perPendingMs: 1,
  longestSettleMs: 1_500,
  deferrable: { settleMs: 400, perPendingMs: 20, longestSettleMs: 15_000 },
  intervalMs: 400,
}

/** A script that failed is retried, because its pause may be over or the machine less busy by then. */
const UNREAD_RETRY_MS = 60_000

export function workStatusController(context: InterpreterContext, options: WorkStatusOptions = {}): Controller {
  const { concurrency = 16, debounce: debouncing = DEBOUNCE } = options
  const debounce = createDebounce(context.clock, debouncing)
  let members: MemberWatch | undefined
  let onUnread: (key: ObjectKey) => void = () => undefined
  return {
    name: 'work-status',
    concurrency,
    watches: [],
    reads: [workKind, ...interpreterKinds],
    async reconcile(key) {
      debounce.taken(key)
      if (members && (await reconcileWorkStatus({ context, members, onUnread }, key))) debounce.reported(key)
      if (!context.informers.of(workKind).get(key)) debounce.forget(key)
    },
    start(queue) {
      onUnread = (key) => queue.addAfter(key, UNREAD_RETRY_MS)
      const lease = acquireMemberWatch(context)
      members = lease.members
      const stops = [
        context.informers.of(workKind).onChange((change) => {
          if (becameApplied(change)) debounce.changed(queue, objectKey(change.object), { deferrable: true })
        }),
        members.onChange((change) => {
          const key = change.type === 'deleted' ? undefined : ownerWorkKeyOf(change.object)
          if (change.type === 'deleted' || key === undefined) return
          debounce.changed(queue, key, { deferrable: !hasAnotherHealth(context, key, change.object) })
        }),
        onInterpreterChange(context.informers, (concerns) => {
          for (const key of worksOf(context.informers, concerns)) queue.add(key)
        }),
      ]
      return async () => {
        for (const stop of stops) stop()
        await lease.release()
      }
    },
  }
}

/** Returns the Works of objects whose interpreter changed. */
function worksOf(informers: Informers, concerns: (object: Manifest) => boolean): ObjectKey[] {
  return informers
    .of(workKind)
    .list()
    .filter((work) => manifestsOf(work).some(concerns))
    .map(objectKey)
}

/** Reports whether the health of the object changed; assumed true if only a script can tell. */
function hasAnotherHealth(context: InterpreterContext, key: ObjectKey, object: UnknownObject): boolean {
  if (context.interpreter.isScripted(object, 'health')) return true
  const told = context.informers.of(workKind).get(key)?.status?.manifestStatuses?.[0]?.health
  const health = healthOf(object)
  return health !== told && (told !== undefined || health === 'Healthy')
}

function healthOf(object: UnknownObject): 'Healthy' | 'Unhealthy' | 'Unknown' {
  try {
    return interpretHealth(object) ? 'Healthy' : 'Unhealthy'
  } catch (error) {
    if (error instanceof InterpretError) return 'Unknown'
    throw error
  }
}

/** A Work has no status before it is applied; afterwards changes of the member enqueue it. */
function becameApplied(change: Change<Work>): change is Exclude<Change<Work>, { type: 'deleted' }> {
  if (change.type !== 'updated') return change.type === 'added'
  const isApplied = ({ status }: Work): boolean => isConditionTrue(status?.conditions, 'Applied')
  return isApplied(change.object) && !isApplied(change.old)
}
