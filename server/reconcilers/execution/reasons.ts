/** Conditions of Works, and events about applying them to members. */
import type { NewCondition } from '@/lib/kube/conditions'
import { work as workKind, type Work } from '@/lib/kube/kinds/work'
import { TEMPLATE_UID_ANNOTATION } from '@/lib/kube/names'
import type { ObjectReference } from '@/lib/kube/object'
import type { Manifest } from '@/lib/domain/interpreter'
import type { EventRecorder } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'

const component = 'execution-controller'

export const dispatching: NewCondition = {
  type: 'Dispatching',
  status: 'True',
  reason: 'Dispatching',
  // upstream: Karmada execution-controller
  message: 'Work is being dispatched to member clusters.',
}
export const suspended: NewCondition = {
  type: 'Dispatching',
  status: 'False',
  reason: 'SuspendDispatching',
  // upstream: Karmada execution-controller
  message: 'Work dispatching is in a suspended state.',
}
export const applied: NewCondition = {
  type: 'Applied',
  status: 'True',
  reason: 'AppliedSuccessful',
  // upstream: Karmada execution-controller
  message: 'Manifest has been successfully applied',
}

/** Returns the condition for `done` of `total` applied manifests and the errors of the others. */
export function notApplied(done: number, total: number, errors: readonly string[]): NewCondition {
  const text = errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`
  return {
    type: 'Applied',
    status: 'False',
    reason: 'AppliedFailed',
    // upstream: Karmada execution-controller
    message: `Failed to apply all manifests (${done}/${total}): ${text}`,
  }
}

export function emitDispatching(events: EventRecorder, work: Work, { message }: NewCondition): void {
  events.record({
    component,
    type: 'Normal',
    reason: 'WorkDispatching',
    message,
    regarding: referenceTo(workKind, work),
  })
}

/** Result of applying one Work in its cluster. */
export interface SyncOutcome {
  work: Work
  cluster: string
  errors: readonly string[]
}

export function emitSync(events: EventRecorder, { work, cluster, errors }: SyncOutcome): void {
  const { namespace, name } = work.metadata
  const regarding = referenceTo(workKind, work)
  const what = `work(${namespace}/${name}) to cluster(${cluster})`
  if (errors.length === 0) {
    // upstream: Karmada execution-controller
    events.record({ component, type: 'Normal', reason: 'SyncSucceed', message: `Sync ${what} successful.`, regarding })
    return
  }
  // upstream: Karmada execution-controller
  const message = `Failed to sync ${what}, err: ${errors.join(', ')}`
  events.record({ component, type: 'Warning', reason: 'SyncFailed', message, regarding })
}

/** Records the result for one manifest as an event on its template. */
export function emitTemplate(
  events: EventRecorder,
  manifest: Manifest,
  { cluster, error }: { cluster: string; error?: string },
): void {
  const regarding = templateOf(manifest)
  if (!regarding) return
  const { namespace, name } = regarding
  const what = namespace === undefined ? name : `${namespace}/${name}`
  if (error === undefined) {
    // upstream: Karmada execution-controller
    const message = `Successfully applied resource(${what}) to cluster ${cluster}`
    events.record({ component, type: 'Normal', reason: 'SyncSucceed', message, regarding })
    return
  }
  // upstream: Karmada execution-controller
  const message = `Failed to create or update resource(${what}) in member cluster(${cluster}): ${error}`
  events.record({ component, type: 'Warning', reason: 'SyncFailed', message, regarding })
}

function templateOf({ apiVersion, kind, metadata }: Manifest): ObjectReference | undefined {
  const uid = metadata.annotations?.[TEMPLATE_UID_ANNOTATION]
  const { name, namespace } = metadata
  if (uid === undefined || name === undefined) return undefined
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }), uid }
}
