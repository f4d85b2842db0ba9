/** Brings status and health of member objects into their Works. See README.md. */
import { ownerWorkKeyOf } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Change, Informers } from '@/server/kube/informer'
import type { Controller, ReconcilerContext } from '@/server/runtime/controller'
import { acquireMemberWatch, type MemberWatch } from '../shared/member-watch'
import { createPace, type PaceOptions } from '../shared/object-writes'
import { judgeHealth, reconcileWorkStatus } from './reconcile'

export interface WorkStatusOptions {
  /** As upstream: the observed generation of a StatefulSet is not brought back. Default false. */
  upstream?: boolean
  /** Default 12. */
  concurrency?: number
  /**
   * Member objects change in bursts while they roll out. Default: another health after 50 ms, other numbers after
   * 400 ms, longer while many objects change, and at most every 400 ms.
   */
  pace?: PaceOptions
}

const PACE: PaceOptions = {
  settleMs: 50, patientMs: 400, intervalMs: 400, crowdMs: 1, longestSettleMs: 1_500,
}

export function workStatusController(context: ReconcilerContext, options: WorkStatusOptions = {}): Controller {
  const { concurrency = 12, pace: pacing = PACE, upstream = false } = options
  const pace = createPace(context.clock, pacing)
  let members: MemberWatch | undefined
  return {
    name: 'work-status',
    concurrency,
    watches: [],
    reads: [workKind],
    async reconcile(key) {
      pace.taken(key)
      if (members && await reconcileWorkStatus({ context, members, upstream }, key)) pace.reported(key)
      if (!context.informers.of(workKind).get(key)) pace.forget(key)
    },
    start(queue) {
      const lease = acquireMemberWatch(context)
      members = lease.members
      const stops = [
        context.informers.of(workKind).onChange((change) => {
          if (becameApplied(change)) pace.changed(queue, objectKey(change.object), { patient: true })
        }),
        members.onChange((change) => {
          const key = change.type === 'deleted' ? undefined : ownerWorkKeyOf(change.object)
          if (change.type === 'deleted' || key === undefined) return
          pace.changed(queue, key, { patient: !hasAnotherHealth(context.informers, key, change.object) })
        }),
      ]
      return async () => {
        for (const stop of stops) stop()
        await lease.release()
      }
    },
  }
}

/** The object is healthy by now, or is not any more. */
function hasAnotherHealth(informers: Informers, key: ObjectKey, object: UnknownObject): boolean {
  const told = informers.of(workKind).get(key)?.status?.manifestStatuses?.[0]?.health
  return judgeHealth(object) !== told && (told !== undefined || judgeHealth(object) === 'Healthy')
}

/** Before it is applied, a Work has nothing to report; afterwards the member's changes lead here. */
function becameApplied(change: Change<Work>): change is Exclude<Change<Work>, { type: 'deleted' }> {
  if (change.type !== 'updated') return change.type === 'added'
  const isApplied = ({ status }: Work): boolean => isConditionTrue(status?.conditions, 'Applied')
  return isApplied(change.object) && !isApplied(change.old)
}
