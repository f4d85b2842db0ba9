import {
  type ApplicationPlan,
  type ApplicationRule,
  evictionHistoryOf,
  formatRecord,
  HISTORY_ANNOTATION,
  historyAfter,
  RECORD_ANNOTATION,
} from '@/lib/domain/failover'
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { ActiveEvictionHistory } from '@/lib/kube/kinds/binding'
import type { EpochMs } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, parseBindingKey } from '../shared/binding-kinds'
import { reportFailedEvictions } from './reasons'

/** Result of a decision, with the objects that it is based on. */
export interface Decided {
  binding: Binding
  rule: ApplicationRule
  plan: ApplicationPlan
  now: EpochMs
  /** Whether to record the eviction history. */
  history: boolean
}

type Fields = Record<string, unknown>

/**
 * Writes everything at once. Evictions and history require the resourceVersion of the decision; the health record does
 * not.
 */
export async function writePlan(context: ReconcilerContext, decided: Decided): Promise<void> {
  const { binding, plan } = decided
  const history = nextHistory(decided)
  const annotations = recordChange(binding, formatRecord(plan.record))
  const spec: Fields = { ...plan.spec, ...(history && { activeEvictionHistory: history.length > 0 ? history : null }) }
  const guarded = Object.keys(spec).length > 0
  if (!guarded && !annotations) return
  const { resourceVersion } = binding.metadata
  const metadata = { ...(guarded && { resourceVersion }), ...(annotations && { annotations }) }
  try {
    const written = await patch(context, binding, { metadata, ...(guarded && { spec }) })
    if (history) await noteHistory(context, written, history)
  } catch (error) {
    if (!isConflict(error)) reportFailedEvictions(context, binding, plan.left)
    throw error
  }
}

/** Returns undefined if the history is unchanged. */
function nextHistory({
  binding,
  rule: { blockMs },
  plan: { left },
  now,
  history,
}: Decided): ActiveEvictionHistory[] | undefined {
  if (!history) return undefined
  const before = evictionHistoryOf(binding)
  const after = historyAfter(before, { left, blockMs, now })
  return deepEqual(before, after) ? undefined : after
}

/**
 * Stores the history in an annotation if the control plane does not keep the field, and removes the annotation if it
 * does.
 */
async function noteHistory(
  context: ReconcilerContext,
  written: Binding,
  history: readonly ActiveEvictionHistory[],
): Promise<void> {
  const isKept = (written.spec.activeEvictionHistory?.length ?? 0) === history.length
  const wanted = isKept || history.length === 0 ? undefined : JSON.stringify(history)
  if (written.metadata.annotations?.[HISTORY_ANNOTATION] === wanted) return
  await patch(context, written, { metadata: { annotations: { [HISTORY_ANNOTATION]: wanted ?? null } } })
}

/** Removes the health record of a binding that is no longer assessed. */
export async function forgetRecord(context: ReconcilerContext, binding: Binding): Promise<void> {
  const annotations = recordChange(binding, undefined)
  if (!annotations) return
  try {
    await patch(context, binding, { metadata: { annotations } })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function recordChange({ metadata }: Binding, wanted: string | undefined): Fields | undefined {
  return metadata.annotations?.[RECORD_ANNOTATION] === wanted ? undefined : { [RECORD_ANNOTATION]: wanted ?? null }
}

function patch({ client }: ReconcilerContext, binding: Binding, value: object): Promise<Binding> {
  const { kind, ref } = parseBindingKey(bindingKeyOf(binding))
  return client.patch(kind, ref, { type: 'merge', value })
}
