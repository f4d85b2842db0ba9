/** Describes the spec of a WorkloadSpread. */
import { criticalMs, UNSCHEDULABLE_RETENTION_MS } from '@/lib/domain/spread'
import type { SpreadSubset, WorkloadSpread } from '@/lib/kube/kinds'
import { message, type Message } from '@/lib/messages/message'
import type { SpreadSubsetView } from '../spread-model'

type Spec = NonNullable<WorkloadSpread['spec']>
type Term = NonNullable<SpreadSubset['requiredNodeSelector']>
type Requirement = NonNullable<Term['matchExpressions']>[number]
type Toleration = NonNullable<SpreadSubset['tolerations']>[number]

/** Describes one subset of the spec. */
export function projectSubset(subset: SpreadSubset): SpreadSubsetView {
  const { name, maxReplicas, requiredNodeSelector, preferredNodeSelector = [], tolerations = [], patch } = subset
  return {
    name,
    ...(maxReplicas !== undefined && { maxReplicas }),
    rules: [
      ...(requiredNodeSelector ? [required(requirementsOf(requiredNodeSelector))] : []),
      ...preferredNodeSelector.map(({ preference, weight }) => preferred(requirementsOf(preference), weight)),
      ...tolerations.map(tolerationMessage),
      ...(patch ? [patchMessage(pathsIn(patch))] : []),
    ],
  }
}

const required = (terms: readonly string[]): Message =>
  terms.length > 0 ? message('spread.rule.required', { terms }) : message('spread.rule.requiredNothing')

const preferred = (terms: readonly string[], weight: number): Message =>
  terms.length > 0
    ? message('spread.rule.preferred', { terms, weight })
    : message('spread.rule.preferredNothing', { weight })

/** Describes the strategy and the filter of a spread. */
export function behaviorOf(spec: Spec | undefined): Message[] {
  const timeout = criticalMs(spec?.scheduleStrategy)
  const strategy = spec?.scheduleStrategy
  const simulates = strategy?.type === 'Adaptive' && !strategy.adaptive?.disableSimulationSchedule
  return [
    timeout === undefined
      ? message('spread.strategy.stay')
      : message('spread.strategy.reschedule', {
          timeout: { ms: timeout },
          retention: { ms: UNSCHEDULABLE_RETENTION_MS },
        }),
    ...(simulates ? [message('spread.strategy.simulate')] : []),
    ...(selectsSome(spec) ? [message('spread.strategy.filter')] : []),
  ]
}

/** Reports whether some pods of the workload may be excluded. */
export function selectsSome(spec: Spec | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.targetFilter?.selector ?? {}
  return Object.keys(matchLabels).length > 0 || matchExpressions.length > 0
}

const requirementsOf = ({ matchExpressions = [], matchFields = [] }: Term): string[] =>
  [...matchExpressions, ...matchFields].map(formatRequirement)

const OPERATORS: Readonly<Record<string, string>> = { Gt: '>', Lt: '<', In: 'in', NotIn: 'notin' }

/** Formats selectors as kubectl does: `zone=x`, `!gpu`, `zone in (a,b)`. */
function formatRequirement({ key, operator, values = [] }: Requirement): string {
  if (operator === 'Exists') return key
  if (operator === 'DoesNotExist') return `!${key}`
  if (operator === 'Gt' || operator === 'Lt') return `${key}${OPERATORS[operator]}${values[0] ?? ''}`
  if (operator === 'In' && values.length === 1) return `${key}=${values[0]}`
  return `${key} ${OPERATORS[operator] ?? operator} (${values.join(',')})`
}

/** Formats taints as kubectl does: `key=value:effect`. */
function tolerationMessage({ key, operator, value, effect }: Toleration): Message {
  if (!key) return effect ? message('spread.rule.toleratesEffect', { effect }) : message('spread.rule.toleratesAll')
  const taint = `${key}${operator === 'Exists' || !value ? '' : `=${value}`}${effect ? `:${effect}` : ''}`
  return message('spread.rule.tolerates', { taint })
}

const MAX_PATHS = 4
/** Maximum depth of paths shown. */
const DEPTH = 3

function patchMessage(paths: readonly string[]): Message {
  return paths.length > 0
    ? message('spread.rule.patch', { paths: cut(paths, MAX_PATHS) })
    : message('spread.rule.patchNothing')
}

/** Returns the first items of a list, and the number of the others. */
export function cut(items: readonly string[], most: number): (string | Message)[] {
  return items.length > most
    ? [...items.slice(0, most), message('spread.more', { n: items.length - most })]
    : [...items]
}

/** Returns the fields that a patch sets, as dotted paths. */
function pathsIn(patch: Readonly<Record<string, unknown>>, at: readonly string[] = []): string[] {
  return Object.entries(patch).flatMap(([field, value]) => {
    const path = [...at, field]
    const isDeeper = typeof value === 'object' && value !== null && !Array.isArray(value) && path.length < DEPTH
    return isDeeper ? pathsIn(value as Record<string, unknown>, path) : [path.join('.')]
  })
}
