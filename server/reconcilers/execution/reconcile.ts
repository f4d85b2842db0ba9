/** Reconciles one Work. */
import type { Manifest } from '@/lib/domain/interpreter'
import { manifestsOf } from '@/lib/domain/propagation'
import { findCondition, type NewCondition, setCondition } from '@/lib/kube/conditions'
import { isConflict } from '@/lib/kube/errors'
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import type { Condition, ObjectKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { AwaitedError } from '@/server/runtime/controller'
import { writeStatusFields } from '../shared/object-writes'
import { applyManifest, type Execution, removeFinalizer, textOf, withdrawManifest } from './act'
import { clusterNameOf, destinationOf, findCluster, isReady } from './observe'
import { applied, dispatching, notApplied, suspended, emitDispatching, emitSync, emitTemplate } from './reasons'

/**
 * 1. If deleted: withdraw. 2. If suspended: report. 3. If the member is down: wait. 4. Apply every manifest. 5. Report.
 */
export async function reconcileWork(execution: Execution, key: ObjectKey): Promise<void> {
  const { context } = execution
  const work = context.informers.of(workKind).get(key)
  const clusterName = work && clusterNameOf(work)
  if (!work || clusterName === undefined) return
  const cluster = findCluster(context, clusterName)
  if (work.metadata.deletionTimestamp) return withdraw(execution, work, cluster)
  if (!cluster) throw noCluster(execution, work, clusterName)
  if (work.spec.suspendDispatching) {
    return void (await report(execution, { work, cluster: clusterName, conditions: [suspended] }))
  }
  // When the member recovers, all its Works are enqueued.
  if (!isReady(cluster)) return void (await dispatch(execution, work, clusterName))
  const told = execution.dispatchFirst ? await dispatch(execution, work, clusterName) : work
  await apply(execution, told, clusterName)
}

/** Returns the error for a Work whose cluster does not exist. */
function noCluster({ context }: Execution, work: Work, cluster: string): Error {
  const text = `clusters.cluster.karmada.io "${cluster}" not found`
  emitSync(context.events, { work, cluster, errors: [text] })
  return new Error(text)
}

/** Sets the Dispatching condition; returns the written Work. */
async function dispatch(execution: Execution, work: Work, cluster: string): Promise<Work> {
  return (await report(execution, { work, cluster, conditions: [dispatching] })) ?? work
}

/** Objects in a member that is being removed and does not respond, or that is gone, are not deleted. */
async function withdraw(execution: Execution, work: Work, cluster: Cluster | undefined): Promise<void> {
  const preserve = work.spec.preserveResourcesOnDeletion === true
  if (cluster && isReady(cluster)) {
    const { name } = cluster.metadata
    for (const manifest of manifestsOf(work)) {
      const destination = await destinationOf(execution.members, name, manifest)
      if (destination) await withdrawManifest(execution, destination, preserve)
    }
  } else if (cluster && !cluster.metadata.deletionTimestamp) {
    throw new AwaitedError(`cluster(${cluster.metadata.name}) not ready`)
  }
  await removeFinalizer(execution.context, work)
}

async function apply(execution: Execution, work: Work, cluster: string): Promise<void> {
  const manifests = manifestsOf(work)
  const errors: string[] = []
  let written = false
  for (const manifest of manifests) {
    try {
      const destination = await destinationOf(execution.members, cluster, manifest)
      if (!destination) throw new Error(unknownKind(manifest))
      written = (await applyManifest(execution, destination)) || written
    } catch (error) {
      // Another client wrote the same object concurrently: not a failure, retried soon.
      if (isConflict(error)) throw error
      errors.push(textOf(error))
    }
  }
  const outcome = errors.length === 0 ? applied : notApplied(manifests.length - errors.length, manifests.length, errors)
  await report(execution, { work, cluster, conditions: [dispatching, outcome], errors, written })
  if (errors.length > 0) throw new Error(errors.join(', '))
}

/** Returns upstream's message for a kind that the member does not serve. */
function unknownKind({ apiVersion, kind }: Manifest): string {
  // upstream: kubectl and controller-runtime, NoKindMatchError
  return `no matches for kind "${kind}" in version "${apiVersion}"`
}

interface Report {
  work: Work
  cluster: string
  conditions: readonly NewCondition[]
  errors?: readonly string[]
  /** Something was written to the member. */
  written?: boolean
}

/** Writes all conditions at once; unchanged ones are not reported again. Returns the Work if it was written. */
async function report(
  { context, dispatchFirst }: Execution,
  { work, cluster, conditions, errors = [], written = false }: Report,
): Promise<Work | undefined> {
  const before = (work.status?.conditions ?? []) as Condition[]
  const now = formatTime(context.clock.now())
  const after = conditions.reduce((list, condition) => setCondition(list, condition, now), before)
  const reported = await writeStatusFields(context.client, workKind, { object: work, fields: { conditions: after } })
  emitDispatchingChange(context.events, work, conditions)
  const outcome = conditions.find(({ type }) => type === 'Applied')
  const isNews = dispatchFirst || written || findCondition(before, 'Applied')?.status !== outcome?.status
  if (!outcome || (!isNews && errors.length === 0)) return reported
  emitSync(context.events, { work, cluster, errors })
  for (const manifest of manifestsOf(work)) {
    emitTemplate(context.events, manifest, { cluster, ...(errors.length > 0 && { error: errors.join(', ') }) })
  }
  return reported
}

function emitDispatchingChange(
  events: Execution['context']['events'],
  work: Work,
  conditions: readonly NewCondition[],
): void {
  const next = conditions.find(({ type }) => type === 'Dispatching')
  const old = findCondition(work.status?.conditions, 'Dispatching')
  if (next && next.status !== old?.status) emitDispatching(events, work, next)
}
