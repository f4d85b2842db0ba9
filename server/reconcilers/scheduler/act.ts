/** Writes the result to the spec, the report to the status, and the events. */
import type { PlacementPatch, Refusal, ScheduleEvent } from '@/lib/domain/placement'
import { isConflict, isNotFound, isUnreachable, KubeError } from '@/lib/kube/errors'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, eventTargets, parseBindingKey } from '../shared/binding-kinds'
import { COMPONENT } from './reasons'

/** Result of patching the spec. */
export type PatchOutcome =
  | { binding: Binding; refusal?: undefined }
  /** The server rejected the patch for a reason that is reported in the status. */
  | { binding: Binding; refusal: Refusal; cause: KubeError }

/** Writes clusters and applied placement, with the resourceVersion of the decision as a precondition. */
export async function writePlacement(
  context: ReconcilerContext,
  binding: Binding,
  patch: PlacementPatch | undefined,
): Promise<PatchOutcome> {
  if (!patch) return { binding }
  try {
    return {
      binding: await merge(context, binding, {
        metadata: { annotations: { [APPLIED_PLACEMENT_ANNOTATION]: patch.appliedPlacement } },
        // Null instead of an empty list, so that a binding that fits nowhere keeps its generation.
        spec: { clusters: patch.clusters.length > 0 ? patch.clusters : null },
      }),
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const quotaExceeded = error.code === 403 && error.reason === 'QuotaExceeded'
    return { binding, refusal: { message: error.message, quotaExceeded }, cause: error }
  }
}

/**
 * Reports whether the error is a rejection, in contrast to errors that only need a retry: a newer binding, a deleted
 * one, or no response.
 */
function isRefusal(error: unknown): error is KubeError {
  return error instanceof KubeError && ![isConflict, isNotFound, isUnreachable].some((passing) => passing(error))
}

const MAX_STATUS_TRIES = 4

/**
 * Writes the scheduler's fields of the status; `report` returns them for the current status. Because other controllers
 * write the status too, a conflict is handled by reading again and building a new report. A concurrent change of the
 * spec (for instance a finished eviction task) does not invalidate the report, which names the generation of the
 * decision. A concurrent trigger does, because it must not be reported as processed. Returns the written binding;
 * undefined if no write was needed.
 */
export async function writeStatus(
  context: ReconcilerContext,
  binding: Binding,
  report: (binding: Binding) => BindingStatus | undefined,
): Promise<Binding | undefined> {
  const { kind } = parseBindingKey(bindingKeyOf(binding))
  for (let current = binding, tries = 1; ; tries += 1) {
    const status = report(current)
    if (!status) return undefined
    try {
      return await merge(context, current, { status: ownFields(status, binding) })
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_STATUS_TRIES) throw error
      current = await context.client.get(kind, refOf(binding))
      if (!hasSameTrigger(current, binding)) throw error
    }
  }
}

function hasSameTrigger(a: Binding, b: Binding): boolean {
  return a.metadata.uid === b.metadata.uid && a.spec.rescheduleTriggeredAt === b.spec.rescheduleTriggeredAt
}

/** Records events on the binding and on its template. */
export function recordEvents(context: ReconcilerContext, binding: Binding, events: readonly ScheduleEvent[]): void {
  for (const event of events) {
    for (const regarding of eventTargets(binding)) context.events.record({ component: COMPONENT, ...event, regarding })
  }
}

/** Returns the scheduler's fields of a status. The observed generation is at most that of the decision. */
function ownFields(
  {
    conditions,
    lastScheduledTime,
    schedulerObservedGeneration: reported,
    schedulerObservingAffinityName,
  }: BindingStatus,
  { metadata: { generation: decided = 0 } }: Binding,
): BindingStatus {
  const schedulerObservedGeneration = reported === undefined ? undefined : Math.min(reported, decided)
  return { conditions, lastScheduledTime, schedulerObservedGeneration, schedulerObservingAffinityName }
}

function refOf({ metadata: { namespace, name } }: Binding): { namespace?: string; name: string } {
  return { name, ...(namespace !== undefined && { namespace }) }
}

function merge(
  { client }: ReconcilerContext,
  binding: Binding,
  change: { metadata?: object; spec?: object; status?: BindingStatus },
): Promise<Binding> {
  const { kind } = parseBindingKey(bindingKeyOf(binding))
  const { resourceVersion } = binding.metadata
  const value = { ...change, metadata: { ...change.metadata, resourceVersion } }
  const subresource = change.status ? { subresource: 'status' as const } : {}
  return client.patch(kind, refOf(binding), { type: 'merge', value }, subresource)
}
