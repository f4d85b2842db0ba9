/** Brings status and health of member objects into their Works. See README.md. */
import { ownerWorkKeyOf } from '@/lib/domain/propagation'
import { isConditionTrue } from '@/lib/kube/conditions'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { acquireMemberWatch, type MemberWatch } from '../shared/member-watch'
import { createPace, type PaceOptions } from '../shared/object-writes'
import { reconcileWorkStatus } from './reconcile'

export interface WorkStatusOptions {
  /** Default 4: reports give way to the loops that move workloads. */
  concurrency?: number
  /** Member objects change in bursts while they roll out. Default: after 50 ms, then every 400 ms. */
  pace?: PaceOptions
}

export function workStatusController(context: ReconcilerContext, options: WorkStatusOptions = {}): Controller {
  const { concurrency = 4, pace: pacing = { settleMs: 50, intervalMs: 400 } } = options
  const pace = createPace(context.clock, pacing)
  let members: MemberWatch | undefined
  return {
    name: 'work-status',
    concurrency,
    watches: [watch({ kind: workKind, relevant: becameApplied })],
    async reconcile(key) {
      if (members && await reconcileWorkStatus(context, members, key)) pace.reported(key)
      if (!context.informers.of(workKind).get(key)) pace.forget(key)
    },
    start(queue) {
      const lease = acquireMemberWatch(context)
      members = lease.members
      const stop = members.onChange((change) => {
        if (change.type === 'deleted') return
        const key = ownerWorkKeyOf(change.object)
        if (key !== undefined) pace.changed(queue, key)
      })
      return async () => {
        stop()
        await lease.release()
      }
    },
  }
}

/** Before it is applied, a Work has nothing to report; afterwards the member's changes lead here. */
function becameApplied(change: Change<Work>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const isApplied = ({ status }: Work): boolean => isConditionTrue(status?.conditions, 'Applied')
  return isApplied(change.object) && !isApplied(change.old)
}
