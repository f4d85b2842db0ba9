/** Events of quotas, as the three controllers of Karmada record them. */
import { federatedResourceQuota, type FederatedResourceQuota } from '@/lib/kube/kinds'
import { objectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'

interface Task {
  component: string
  /** Prefix of the reasons. */
  name: string
  /** What succeeded. */
  did: string
}

// upstream: Karmada federated-resource-quota controllers
const SYNC: Task = { component: 'federated-resource-quota-sync-controller', name: 'SyncWork', did: 'Sync works for' }
const COLLECT: Task = {
  component: 'federated-resource-quota-status-controller',
  name: 'AggregateStatus',
  // upstream: the same
  did: 'Collect status of',
}
const COUNT: Task = {
  component: 'federated-resource-quota-enforcement-controller',
  name: 'CollectOverallStatus',
  // upstream: the same
  did: 'Collect status of',
}

type Status = FederatedResourceQuota['status']

/** Records that the shares of clusters were written, or why not. */
export function notifySync(context: ReconcilerContext, quota: FederatedResourceQuota, error?: unknown): void {
  notify(context, quota, SYNC, error)
}

/** Records which parts of the status were written, or why not. */
export function notifyStatus(
  context: ReconcilerContext,
  quota: FederatedResourceQuota,
  written: Status,
  error?: unknown,
): void {
  const before = quota.status
  if (!deepEqual(before?.aggregatedStatus, written?.aggregatedStatus)) notify(context, quota, COLLECT, error)
  const counted = (status: Status) => [status?.overall, status?.overallUsed]
  if (!deepEqual(counted(before), counted(written))) notify(context, quota, COUNT, error)
}

function notify(
  { events }: ReconcilerContext,
  quota: FederatedResourceQuota,
  { component, name, did }: Task,
  error: unknown,
): void {
  const regarding = referenceTo(federatedResourceQuota, quota)
  events.record(
    error === undefined
      ? {
          component,
          regarding,
          type: 'Normal',
          reason: `${name}Succeed`,
          message: `${did} FederatedResourceQuota(${objectKey(quota)}) succeed.`,
        }
      : {
          component,
          regarding,
          type: 'Warning',
          reason: `${name}Failed`,
          message: error instanceof Error ? error.message : String(error),
        },
  )
}
