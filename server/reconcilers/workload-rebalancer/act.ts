/**
 * Writes the trigger to a binding, the status, and deletions, each with the resourceVersion of the decision as a
 * precondition.
 */
import type { TriggerOutcome } from '@/lib/domain/rebalance'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import { workloadRebalancer, type WorkloadRebalancer } from '@/lib/kube/kinds/workload-rebalancer'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'
import { type FoundBinding, readBinding } from './observe'
import { type LastingVerdict, TRIGGERED_BY_ANNOTATION } from './trigger-target'

/** Decides on the current binding; called again after a conflict. */
export interface Decide {
  (binding: Binding | undefined): LastingVerdict
}

/** The decision, and the UID to record on the binding, if any. */
export interface Request {
  decide: Decide
  notedAs: string | undefined
}

/** The outcome, or how long to wait before the attempt. */
export type Attempt = TriggerOutcome | { waitMs: number }

/** Carries out the decision for one target. Never throws: temporary errors return `retry`. */
export async function triggerBinding(
  context: ReconcilerContext,
  found: FoundBinding,
  request: Request,
): Promise<Attempt> {
  try {
    return await stamp(context, found, request)
  } catch (error) {
    if (!isConflict(error)) return failed(context, found, error)
  }
  try {
    const binding = await readBinding(context, found.kind, found.ref)
    return await stamp(context, { ...found, binding }, request)
  } catch (error) {
    return failed(context, found, error)
  }
}

async function stamp(
  context: ReconcilerContext,
  { kind, ref, binding }: FoundBinding,
  { decide, notedAs }: Request,
): Promise<Attempt> {
  const verdict = decide(binding)
  if (verdict.act === 'fail' || !binding) return 'bindingNotFound'
  if (verdict.act === 'wait') return verdict
  if (verdict.act !== 'trigger') return 'triggered'
  const { resourceVersion } = binding.metadata
  const annotations = notedAs === undefined ? {} : { annotations: { [TRIGGERED_BY_ANNOTATION]: notedAs } }
  const value = {
    metadata: { resourceVersion, ...annotations },
    spec: { rescheduleTriggeredAt: verdict.rescheduleTriggeredAt },
  }
  await context.client.patch(kind, ref, { type: 'merge', value })
  return 'triggered'
}

function failed(context: ReconcilerContext, { ref }: FoundBinding, error: unknown): TriggerOutcome {
  if (isNotFound(error)) return 'bindingNotFound'
  // Another client wrote first; the next attempt reads that version.
  if (isConflict(error)) context.log.debug({ binding: ref }, 'conflict; retrying')
  else context.log.warn({ binding: ref, cause: String(error) }, 'failed to trigger rescheduling; retrying')
  return 'retry'
}

/** Writes the status; a Conflict means that the rebalancer changed meanwhile. */
export function writeStatus(
  context: ReconcilerContext,
  rebalancer: WorkloadRebalancer,
  status: WorkloadRebalancer['status'],
): Promise<WorkloadRebalancer> {
  return context.client.update(workloadRebalancer, { ...rebalancer, status }, { subresource: 'status' })
}

/** Deletes exactly the expired version. */
export async function deleteExpired(context: ReconcilerContext, { metadata }: WorkloadRebalancer): Promise<void> {
  const { name, uid, resourceVersion } = metadata
  try {
    await context.client.delete(workloadRebalancer, { name }, { preconditions: { uid, resourceVersion } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}
