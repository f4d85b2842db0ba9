/** The placement of the last scheduling, stored as JSON in an annotation. */
import { isFields } from '@/lib/std/fields'
import type { ClusterAffinityTerm, Placement } from '@/lib/kube/kinds/placement'
import { APPLIED_PLACEMENT_ANNOTATION } from '@/lib/kube/names'
import { deepEqual } from '@/lib/std/equal'
import type { Binding } from './binding'

/** Fields in the order in which upstream writes them; others follow in their own order. */
const fieldRanks = new Map(
  [
    'affinityName',
    'clusterAffinity',
    'clusterAffinities',
    'clusterTolerations',
    'spreadConstraints',
    'replicaScheduling',
    'workloadAffinity',
    'targetCluster',
    'weight',
    'labelSelector',
    'matchLabels',
    'fieldSelector',
    'matchExpressions',
    'clusterNames',
    'exclude',
    'overflowAffinities',
    'key',
    'operator',
    'values',
    'value',
    'effect',
    'tolerationSeconds',
    'spreadByField',
    'spreadByLabel',
    'maxGroups',
    'minGroups',
    'replicaSchedulingType',
    'replicaDivisionPreference',
    'weightPreference',
    'staticWeightList',
    'dynamicWeight',
    'affinity',
    'antiAffinity',
    'groupByLabelKey',
  ].map((field, rank) => [field, rank]),
)
/** Fields that are written even if they have the zero value of their type. */
const always = new Set(['affinityName', 'targetCluster', 'weight', 'groupByLabelKey', 'tolerationSeconds'])

/** Cached by object, which is safe because API objects are replaced, never changed. */
const knownTexts = new WeakMap<Placement, string>()

/** Returns the text of the annotation for a placement. */
export function appliedPlacementText(placement: Placement): string {
  const text = knownTexts.get(placement) ?? writePlacement(placement)
  knownTexts.set(placement, text)
  return text
}

function writePlacement(placement: Placement): string {
  return JSON.stringify(placement, (_key, value: unknown) => (isFields(value) ? orderedFields(value) : value))
    .replaceAll('&', '\\u0026')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
}

function orderedFields(record: Record<string, unknown>): Record<string, unknown> {
  const rank = (key: string): number => fieldRanks.get(key) ?? fieldRanks.size
  const kept = Object.entries(record).filter(([key, value]) => !isOmitted(key, value))
  return Object.fromEntries(kept.sort(([a], [b]) => rank(a) - rank(b)))
}

function isOmitted(key: string, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) return value.length === 0
  if (key === 'matchLabels') return Object.keys(value).length === 0
  if (key === 'key' || key === 'operator') return value === ''
  return !always.has(key) && isZero(value)
}

/**
 * Reports whether the placement changed since the last scheduling. An invalid annotation counts as unchanged, an absent
 * or empty one as changed. A change of affinity groups counts only if it affects the current group.
 */
export function isPlacementChanged({ metadata, spec, status = {} }: Binding): boolean {
  const text = metadata.annotations?.[APPLIED_PLACEMENT_ANNOTATION]
  if (!text) return true
  const applied = parsePlacement(text)
  if (!applied) return false
  const placement = spec.placement ?? {}
  if (same(applied, placement)) return false
  if (differsOutsideGroups(applied, placement)) return true
  return isGroupChanged(applied, placement, status.schedulerObservingAffinityName)
}

function parsePlacement(text: string): Placement | undefined {
  try {
    const parsed: unknown = JSON.parse(text) ?? {}
    return isFields(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const comparedFields = ['clusterAffinity', 'clusterTolerations', 'spreadConstraints', 'replicaScheduling'] as const

function differsOutsideGroups(applied: Placement, placement: Placement): boolean {
  return comparedFields.some((field) => !same(applied[field], placement[field]))
}

function isGroupChanged(applied: Placement, placement: Placement, observed: string | undefined): boolean {
  if (!observed) return true
  const [before, after] = [applied, placement].map(({ clusterAffinities }) => termNamed(clusterAffinities, observed))
  return !before || !after || !same(before, after)
}

function termNamed(terms: ClusterAffinityTerm[] | undefined, name: string): ClusterAffinityTerm | undefined {
  return terms?.find(({ affinityName }) => affinityName === name)
}

/** Reports whether two placements are equal for the scheduler. */
export function isSamePlacement(a: Placement, b: Placement): boolean {
  return same(a, b)
}

/** Compares as Go structs: a zero equals an absent field, but an empty list differs from an absent one. */
function same(a: unknown, b: unknown): boolean {
  return deepEqual(withoutZeros(a), withoutZeros(b))
}

function withoutZeros(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutZeros)
  if (!isFields(value)) return value ?? undefined
  const isKept = (key: string, item: unknown): boolean =>
    item !== null && (key === 'tolerationSeconds' || !isZero(item))
  const kept = Object.entries(value).filter(([key, item]) => isKept(key, item))
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutZeros(item)]))
}

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false
}
