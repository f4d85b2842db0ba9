/** Events about dependencies. */
import type { DependencyReference } from '@/lib/domain/interpreter'
import { resourceBinding } from '@/lib/kube/kinds'
import type { EventRecorder } from '@/server/runtime/controller'
import { type Binding, referenceTo } from '../shared/binding-kinds'

const component = 'dependencies-distributor'

/** Records the dependencies found, as an event on the template. */
export function emitDependencies(
  events: EventRecorder,
  { spec }: Binding,
  dependencies: readonly DependencyReference[],
): void {
  events.record({
    component,
    regarding: { ...spec.resource },
    type: 'Normal',
    reason: 'GetDependenciesSucceed',
    // upstream: Karmada dependencies-distributor
    message: `Get dependencies([${dependencies.map(textOf).join(' ')}]) succeed.`,
  })
}

/** Formats a reference as upstream prints it. */
function textOf({ apiVersion, kind, namespace = '', name = '', labelSelector }: DependencyReference): string {
  const selector = labelSelector ? `&LabelSelector${textOfSelector(labelSelector)}` : 'nil'
  return `{APIVersion:${apiVersion} Kind:${kind} Namespace:${namespace} Name:${name} LabelSelector:${selector}}`
}

type Selector = NonNullable<DependencyReference['labelSelector']>

function textOfSelector({ matchLabels = {}, matchExpressions = [] }: Selector): string {
  const labels = Object.entries(matchLabels).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  )
  return (
    `{MatchLabels:map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}},`
    + `MatchExpressions:[]LabelSelectorRequirement{${expressions.map((text) => `${text},`).join('')}},}`
  )
}

export function emitDistributed(events: EventRecorder, independent: Binding): void {
  events.record({
    component,
    regarding: referenceTo(resourceBinding, independent),
    type: 'Normal',
    reason: 'SyncScheduleResultToDependenciesSucceed',
    // upstream: Karmada dependencies-distributor
    message: 'Sync schedule results to dependencies succeed.',
  })
}

export function emitDistributeFailed(events: EventRecorder, independent: Binding, error: unknown): void {
  events.record({
    component,
    regarding: referenceTo(resourceBinding, independent),
    type: 'Warning',
    reason: 'SyncScheduleResultToDependenciesFailed',
    message: error instanceof Error ? error.message : String(error),
  })
}

export function emitConflict(events: EventRecorder, attached: Binding, conflicts: string): void {
  events.record({
    component,
    regarding: referenceTo(resourceBinding, attached),
    type: 'Warning',
    reason: 'DependencyPolicyConflict',
    // upstream: Karmada dependencies-distributor
    message: `Dependency policy conflict detected: ${conflicts}.`,
  })
}
