/** Writes: the result into the spec, the report into the status, and the events. */
import type { PlacementPatch, Refusal, ScheduleEvent } from '@/lib/domain/placement'
import { isConflict, isNotFound, isUnreachable, KubeError } from '@/lib/kube/errors'
import type { BindingStatus } from '@/lib/kube/kinds/binding'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, eventTargets, parseBindingKey } from '../shared/binding-kinds'
import { COMPONENT } from './reasons'

/** What became of the patch of the spec. */
export type PatchOutcome =
  | { binding: Binding; refusal?: undefined }
  /** The server says no for a reason that belongs into the status. */
  | { binding: Binding; refusal: Refusal; cause: KubeError }

/** Writes clusters and applied placement, provided that the binding is still the one that was decided on. */
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
        // An empty list is no list: a binding that fits nowhere stays in its generation.
        spec: { clusters: patch.clusters.length > 0 ? patch.clusters : null },
      }),
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const quotaExceeded = error.code === 403 && error.reason === 'QuotaExceeded'
    return { binding, refusal: { message: error.message, quotaExceeded }, cause: error }
  }
}

/** Everything but what merely calls for another look: a newer binding, none at all, no answer. */
function isRefusal(error: unknown): error is KubeError {
  return error instanceof KubeError && ![isConflict, isNotFound, isUnreachable].some((passing) => passing(error))
}

const MOST_STATUS_TRIES = 4

/**
 * Writes the scheduler's fields of the status; `report` gives them for the present status. Others write status too, so
 * a conflict is answered by a fresh read and a new report. A spec that changed meanwhile (an eviction task that ended)
 * takes nothing from what was decided: the report names the generation it is about. Only a trigger that came meanwhile
 * ends it, for that must not be reported as served. Answers the written binding, undefined when nothing had to be.
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
      if (!isConflict(error) || tries >= MOST_STATUS_TRIES) throw error
      current = await context.client.get(kind, refOf(binding))
      if (!hasSameTrigger(current, binding)) throw error
    }
  }
}

function hasSameTrigger(a: Binding, b: Binding): boolean {
  return a.metadata.uid === b.metadata.uid && a.spec.rescheduleTriggeredAt === b.spec.rescheduleTriggeredAt
}

/** Tells the people who look at the binding and at its template. */
export function recordEvents(context: ReconcilerContext, binding: Binding, events: readonly ScheduleEvent[]): void {
  for (const event of events) {
    for (const regarding of eventTargets(binding)) context.events.record({ component: COMPONENT, ...event, regarding })
  }
}

/** The scheduler's part of a status. No generation after that of the decision was looked at. */
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
