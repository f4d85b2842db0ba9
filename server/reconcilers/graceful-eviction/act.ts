import type { EvictionPlan } from '@/lib/domain/eviction'
import { DEPARTURES_ANNOTATION, notedDepartures } from '@/lib/domain/rebalance'
import { isConflict } from '@/lib/kube/errors'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { type Binding, bindingKeyOf, eventTargets, parseBindingKey } from '../shared/binding-kinds'
import { componentFor, oldReplicasKept, evicted, evictionFailed, graceExtended } from './reasons'

/** Writes the remaining tasks, then records an event for each finished one. */
export async function writeTasks(context: ReconcilerContext, binding: Binding, plan: EvictionPlan): Promise<void> {
  const { kind, ref } = parseBindingKey(bindingKeyOf(binding))
  const { resourceVersion } = binding.metadata
  const value = {
    metadata: { resourceVersion, ...departures(binding, plan) },
    spec: { gracefulEvictionTasks: plan.tasks.length > 0 ? plan.tasks : null },
  }
  try {
    await context.client.patch(kind, ref, { type: 'merge', value })
  } catch (error) {
    if (!isConflict(error))
      report(
        context,
        binding,
        plan.dropped.map(({ cluster }) => evictionFailed(cluster)),
      )
    throw error
  }
  report(context, binding, [
    ...plan.dropped.filter(({ reason }) => reason !== 'returned').map(({ cluster }) => evicted(cluster)),
    ...plan.extended.map(graceExtended),
  ])
}

/** Records an event for old replicas that an operator must release. */
export function reportKept(context: ReconcilerContext, binding: Binding, clusters: readonly string[]): void {
  report(context, binding, clusters.map(oldReplicasKept))
}

/** Records the departure, because failback needs it and the task was its only record. */
function departures(binding: Binding, { dropped }: EvictionPlan): { annotations?: Record<string, string> } {
  const ended = dropped.flatMap(
    ({ cluster }) => binding.spec.gracefulEvictionTasks?.find((task) => task.fromCluster === cluster) ?? [],
  )
  const noted = notedDepartures(binding, ended)
  return noted === undefined ? {} : { annotations: { [DEPARTURES_ANNOTATION]: noted } }
}

type Reported = ReturnType<typeof evicted | typeof evictionFailed | typeof graceExtended | typeof oldReplicasKept>

function report({ events }: ReconcilerContext, binding: Binding, reports: readonly Reported[]): void {
  for (const one of reports) {
    for (const regarding of eventTargets(binding))
      events.record({ component: componentFor(binding), ...one, regarding })
  }
}
