/** Selects the clusters of every binding and divides its replicas among them. See README.md. */
import { isSchedulable, priorityOf, wakesOnBinding, wakesOnRecovery, wakesOnSuspension } from '@/lib/domain/placement'
import { cluster as clusterKind } from '@/lib/kube/kinds/cluster'
import { federatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import type { ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds, changedBinding, findBinding } from '../shared/binding-kinds'
import { Assumptions } from './assumptions'
import { GroupMembers } from './group-members'
import { followQuotas, type MemberQuotas } from './quotas'
import { reconcileBinding, type Scheduling } from './reconcile'
import { type SchedulerOptions, type SchedulerSettings, settingsOf } from './settings'
import { bindingsConcernedBy, bindingsThatMayFit, indexWaiting } from './wake'

export type { SchedulerOptions } from './settings'

/** Upstream's back-off of the scheduling queue. */
const RETRY = { baseMs: 1000, maxMs: 10_000 }

export function schedulerController(context: ReconcilerContext, options: SchedulerOptions = {}): Controller {
  const settings = settingsOf(options)
  const { workloadAffinity, overcommitProtection } = settings.profile
  const assumptions = overcommitProtection ? new Assumptions(context) : undefined
  const scheduling: Scheduling = {
    ...settings,
    ...(workloadAffinity && { members: new GroupMembers(context.informers) }),
    ...(assumptions && { assumptions }),
  }
  indexWaiting(context.informers)
  let quotas: MemberQuotas | undefined
  return {
    name: 'scheduler',
    concurrency: settings.concurrency,
    retry: RETRY,
    watches: [
      ...bindingKinds.map((kind) =>
        watch({ kind, keys: changedBinding, relevant: (change) => concernsScheduler(change, settings) }),
      ),
      watch({ kind: clusterKind, keys: (change) => bindingsConcernedBy(context.informers, change, settings) }),
      ...(settings.watchQuotas
        ? [
            watch({
              kind: federatedResourceQuota,
              keys: (change) => bindingsThatMayFit(context.informers, change, settings),
            }),
          ]
        : []),
    ],
    priority: (key: ObjectKey) => {
      const binding = findBinding(context.informers, key)
      return binding ? priorityOf(binding) : 0
    },
    start: () => {
      if (settings.quotaEstimate) quotas = followQuotas(context)
      const stop = assumptions?.follow()
      return async () => {
        stop?.()
        await quotas?.release()
      }
    },
    reconcile: (key) => reconcileBinding(context, key, quotas ? { ...scheduling, quotasOf: quotas.of } : scheduling),
  }
}

function concernsScheduler(
  change: Change<Binding>,
  { profile: { schedulerName, returnToPredecessors }, publishSuspension }: SchedulerSettings,
): boolean {
  if (change.type === 'deleted') return false
  const before = change.type === 'updated' ? change.old : undefined
  return (
    wakesOnBinding(before, change.object, schedulerName)
    || (publishSuspension && wakesOnSuspension(before, change.object, schedulerName))
    || (returnToPredecessors
      && before !== undefined
      && isSchedulable(change.object, schedulerName)
      && wakesOnRecovery(before, change.object))
  )
}
