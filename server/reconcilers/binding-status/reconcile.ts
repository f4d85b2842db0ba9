/** Reconciles one binding: aggregates the statuses of its Works into its status and the template's. */
import { withFailoverFacts } from '@/lib/domain/failover'
import { withDeploymentConditions } from '@/lib/domain/interpreter'
import { aggregateWorks, assessFullyApplied } from '@/lib/domain/propagation'
import { setCondition } from '@/lib/kube/conditions'
import type { AggregatedStatusItem } from '@/lib/kube/kinds/binding'
import type { Condition, ObjectKey } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import { type Binding, findBinding, parseBindingKey, referenceTo } from '../shared/binding-kinds'
import { worksOf } from '../shared/binding-works'
import type { CompatibilityProfile } from '../shared/compatibility'
import type { InterpreterContext } from '../shared/interpreter'
import { isTooLarge, replaceStatus, writeStatusFields } from '../shared/object-writes'
import { findTemplateKind, readTemplate } from '../shared/template-kinds'
import { aggregationEvents } from './reasons'

/**
 * 1. Summarize the Works. 2. Write the binding's status. 3. Write the template's status. Returns whether anything was
 * written.
 */
export async function reconcileBindingStatus(
  context: InterpreterContext,
  key: ObjectKey,
  switches: Switches,
): Promise<boolean> {
  const binding = findBinding(context.informers, key)
  if (!binding || binding.metadata.deletionTimestamp) return false
  const items = summarize(context, binding, switches)
  const summarized = await writeBindingStatus(context, key, { binding, items })
  const passedOn = await writeTemplateStatus(context, { binding, items }, switches)
  return summarized || passedOn
}

/**
 * Adds what application failover needs for each cluster, always, because a policy may get its rule later. Upstream does
 * not record it.
 */
function summarize(
  { informers, clock }: InterpreterContext,
  binding: Binding,
  { failoverFacts }: Switches,
): AggregatedStatusItem[] {
  const items = aggregateWorks(worksOf(informers, binding), binding.spec.resource)
  return failoverFacts ? withFailoverFacts(items, binding.status?.aggregatedStatus, clock.now()) : items
}

type Switches = Readonly<CompatibilityProfile['bindingStatus']>

interface Summary {
  binding: Binding
  items: AggregatedStatusItem[]
}

async function writeBindingStatus(
  context: InterpreterContext,
  key: ObjectKey,
  { binding, items }: Summary,
): Promise<boolean> {
  const { kind } = parseBindingKey(key)
  const before = (binding.status?.conditions ?? []) as Condition[]
  const now = formatTime(context.clock.now())
  const conditions = setCondition(before, assessFullyApplied(binding.spec, items), now)
  // The scheduler writes a condition into the same list, so the write needs a lock.
  const lock = conditions !== before
  const notify = aggregationEvents(context.events, binding)
  const write = (shown: AggregatedStatusItem[]) =>
    writeStatusFields(context.client, kind, {
      object: binding,
      lock,
      fields: { aggregatedStatus: shown.length > 0 ? shown : undefined, ...(lock && { conditions }) },
    })
  const written = await write(items).catch((error: unknown) => {
    if (!isTooLarge(error)) throw error
    notify.failed(referenceTo(kind, binding), error)
    return write(items.map(withoutStatus))
  })
  if (written) notify.bindingUpdated(referenceTo(kind, binding))
  return written !== undefined
}

/** Returns the item to store if the complete status is too large for the control plane. */
function withoutStatus(item: AggregatedStatusItem): AggregatedStatusItem {
  return omit(item, 'status')
}

async function writeTemplateStatus(
  context: InterpreterContext,
  { binding, items }: Summary,
  { deploymentConditions }: Switches,
): Promise<boolean> {
  const { resource } = binding.spec
  const interpreter = context.interpreter
  if (!interpreter.hasAggregationRule(resource)) return false
  const kind = findTemplateKind(context, resource.apiVersion, resource.kind)
  const template = kind && (await readTemplate(context, binding))
  if (!template) return false
  const notify = aggregationEvents(context.events, binding)
  const regarding = referenceTo(kind, template)
  try {
    const now = formatTime(context.clock.now())
    const aggregated = await interpreter.aggregate(template, items.length > 0 ? items : undefined, { now })
    const isDeployment = resource.apiVersion === 'apps/v1' && resource.kind === 'Deployment' && deploymentConditions
    const status =
      isDeployment && aggregated
        ? withDeploymentConditions(template, aggregated as Record<string, unknown>, now)
        : aggregated
    if (deepEqual(status, template.status)) return false
    await replaceStatus(context.client, kind, { object: template, status })
    notify.templateUpdated(regarding)
    return true
  } catch (error) {
    notify.failed(regarding, error)
    throw error
  }
}
