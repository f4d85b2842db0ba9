/** Writes to bindings, each with the resourceVersion of the decision as a precondition, and the plan's status. */
import { type RunStep, workloadKey } from '@/lib/domain/rebalance'
import { english } from '@/lib/messages/english'
import type { RunDecision } from '@/lib/domain/rebalance'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import { rebalancePlan, type RebalancePlanObject, type RebalancePlanStatus } from '@/lib/kube/kinds/rebalance-plan'
import { mapBounded } from '@/server/runtime/bounded'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, parseBindingKey, referenceTo } from '../shared/binding-kinds'
import { writeStatusFields } from '../shared/object-writes'
import { COMPONENT } from './reasons'

/** Result of carrying out the steps. */
export interface Outcome {
  /** Workloads whose write failed, by `workloadKey`. */
  failed: ReadonlySet<string>
  /** The most important error: a real one before a conflict. */
  error?: unknown
}

/** Carries out every step; a failing one does not stop the others. */
export async function carryOut(
  context: ReconcilerContext,
  steps: readonly { step: RunStep; binding: Binding }[],
  concurrency: number,
): Promise<Outcome> {
  const errors: unknown[] = []
  const failed = new Set<string>()
  await mapBounded(steps, concurrency, async ({ step, binding }) => {
    try {
      await writeStep(context, step, binding)
    } catch (error) {
      failed.add(workloadKey(step.details.workload))
      errors.push(error)
    }
  })
  if (errors.length === 0) return { failed }
  return { failed, error: errors.find(isRefusal) ?? errors[0] }
}

/** Reports whether a write failed for another reason than a changed binding, on which the next pass decides anew. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && !isConflict(error) && !isNotFound(error)

/** Writes one merge patch, which is rejected if the binding changed after the decision. */
export async function writeStep(
  { client }: ReconcilerContext,
  { details: { patch } }: RunStep,
  binding: Binding,
): Promise<void> {
  const { kind, ref } = parseBindingKey(bindingKeyOf(binding))
  const { resourceVersion, uid } = binding.metadata
  const value = { ...patch, metadata: { ...patch.metadata, resourceVersion, uid } }
  await client.patch(kind, ref, { type: 'merge', value })
}

/** Writes the changed fields of the status; a Conflict means that the plan changed meanwhile. */
export async function writeStatus(
  { client }: ReconcilerContext,
  plan: RebalancePlanObject,
  status: RebalancePlanStatus,
): Promise<RebalancePlanObject> {
  const absent = Object.keys(plan.status ?? {}).filter((field) => !(field in status))
  const fields = { ...Object.fromEntries(absent.map((field) => [field, undefined])), ...status }
  return (await writeStatusFields(client, rebalancePlan, { object: plan, fields, lock: true })) ?? plan
}

/** Deletes exactly the expired version of the plan. */
export async function deleteExpired({ client }: ReconcilerContext, { metadata }: RebalancePlanObject): Promise<void> {
  const { name, uid, resourceVersion } = metadata
  try {
    await client.delete(rebalancePlan, { name }, { preconditions: { uid, resourceVersion } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** Records the events of a decision. */
export function notify({ events }: ReconcilerContext, plan: RebalancePlanObject, news: RunDecision['news']): void {
  for (const { type, code, text } of news) {
    events.record({
      component: COMPONENT,
      type,
      reason: code,
      message: english.of(text),
      regarding: referenceTo(rebalancePlan, plan),
    })
  }
}
