/** Applies Works to their members and reverts drift there. See README.md. */
import { isConditionTrue } from '@/lib/kube/conditions'
import { resourceInterpreterCustomization } from '@/lib/kube/kinds'
import { cluster as clusterKind, type Cluster } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { executionSpaceOf } from '@/lib/kube/names'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, watch } from '@/server/runtime/controller'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import { acquireMemberWatch } from '../shared/member-watch'
import type { Execution } from './act'
import { appliedVersions } from './applied-versions'
import { driftedWork } from './drift'
import { reconcileWork } from './reconcile'

export interface ExecutionOptions extends Partial<CompatibilityProfile['execution']> {
  /** Works applied concurrently. Default 24, because each waits for the network most of the time. */
  concurrency?: number
  /** Maximum delay between retries of a Work. Default 10 s. */
  maxRetryMs?: number
}

export function executionController(context: InterpreterContext, options: ExecutionOptions = {}): Controller {
  const { concurrency = 24, maxRetryMs = 10_000 } = options
  const { dispatchFirst } = { ...evenkeelProfile.execution, ...options }
  const versions = appliedVersions()
  let execution: Execution | undefined
  return {
    name: 'execution',
    concurrency,
    retry: { baseMs: 10, maxMs: maxRetryMs },
    watches: [
      watch({ kind: workKind, relevant: isRelevant }),
      watch({ kind: clusterKind, relevant: becameReady, keys: (change) => worksIn(context, change) }),
    ],
    reads: [resourceInterpreterCustomization],
    async reconcile(key) {
      if (execution) await reconcileWork(execution, key)
    },
    start(queue) {
      const { members, release } = acquireMemberWatch(context)
      execution = { context, members, versions, dispatchFirst }
      const stop = members.onChange((change) => {
        const key = driftedWork(change, versions)
        if (key !== undefined) queue.add(key)
      })
      return async () => {
        stop()
        await release()
      }
    },
  }
}

function isRelevant(change: Change<Work>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const { generation, deletionTimestamp } = change.object.metadata
  return generation !== change.old.metadata.generation || deletionTimestamp !== change.old.metadata.deletionTimestamp
}

/**
 * Reports whether pending Works can be applied because their cluster became ready, or must be released because it is
 * being deleted.
 */
function becameReady(change: Change<Cluster>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const isReady = ({ status }: Cluster): boolean => isConditionTrue(status?.conditions, 'Ready')
  return (
    (isReady(change.object) && !isReady(change.old))
    || change.object.metadata.deletionTimestamp !== change.old.metadata.deletionTimestamp
  )
}

function worksIn({ informers }: InterpreterContext, change: Change<Cluster>): ObjectKey[] {
  if (change.type === 'deleted') return []
  return informers.of(workKind).listNamespace(executionSpaceOf(change.object.metadata.name)).map(objectKey)
}
