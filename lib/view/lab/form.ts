/** Converts a placement to form fields and back. Every edit changes one field of the document. */
import type {
  ClusterAffinity,
  LabelSelector,
  Placement,
  SpreadConstraint,
  Toleration,
} from '@/lib/kube/kinds/placement'
import { parseLabelSelector } from '@/lib/kube/selector-text'
import { selectorTexts } from '../project/placement'

export type { ClusterAffinity, Placement }

/** A change of the document: a path (for the placement, below `spec.placement`) and its value. */
export interface FieldEdit {
  path: readonly string[]
  value: unknown
}

/** Lists that a URL may set. */
const PROPOSABLE: ReadonlySet<string> = new Set([
  'clusterAffinity.clusterNames',
  'clusterAffinity.exclude',
  'clusterAffinities',
  'clusterTolerations',
  'spreadConstraints',
])

/** Parses an edit in the URL of the page: `{"path":["clusterAffinity","clusterNames"],"value":["eu-1"]}`. */
export function readEdit(text: string | undefined): FieldEdit | undefined {
  if (text === undefined) return undefined
  try {
    const { path, value } = JSON.parse(text) as Partial<FieldEdit>
    const isKnown = Array.isArray(path) && PROPOSABLE.has(path.join('.')) && Array.isArray(value)
    return isKnown ? { path, value } : undefined
  } catch {
    return undefined
  }
}

/** Parses typed names, separated by commas or spaces. */
export const namesIn = (typed: string): string[] => [...new Set(typed.split(/[\s,]+/).filter((name) => name !== ''))]

export const editNames = (field: 'clusterNames' | 'exclude', typed: string): FieldEdit => {
  const names = namesIn(typed)
  return { path: ['clusterAffinity', field], value: names.length > 0 ? names : undefined }
}

/** Returns the labels in kubectl's syntax. */
export const labelsText = ({ labelSelector }: ClusterAffinity = {}): string => selectorTexts(labelSelector).join(', ')

/** Returns undefined while the text is not a selector. */
export function editLabels(typed: string): FieldEdit | undefined {
  const path = ['clusterAffinity', 'labelSelector']
  const read = readLabelSelector(typed)
  return read && { path, value: read.value }
}

/** Parses a selector in kubectl's syntax. An empty text gives an undefined value; an invalid one returns undefined. */
export function readLabelSelector(typed: string): { value: LabelSelector | undefined } | undefined {
  if (typed.trim() === '') return { value: undefined }
  const parsed = parseLabelSelector(typed)
  if (!parsed.ok) return undefined
  const matchExpressions = parsed.value.map(({ key, operator, values }) => ({
    key,
    operator,
    ...(values.length > 0 && { values: [...values] }),
  }))
  return { value: { matchExpressions } }
}

export const SPREAD_FIELDS = ['cluster', 'region', 'zone', 'provider'] as const
export type SpreadField = (typeof SPREAD_FIELDS)[number]

export const spreadOf = ({ spreadConstraints = [] }: Placement, field: SpreadField): SpreadConstraint | undefined =>
  spreadConstraints.find((one) => !one.spreadByLabel && (one.spreadByField ?? 'cluster') === field)

/** Removes the constraint if both bounds are empty. */
export function editSpread(
  { spreadConstraints = [] }: Placement,
  field: SpreadField,
  { min, max }: { min: number | undefined; max: number | undefined },
): FieldEdit {
  const others = spreadConstraints.filter((one) => one.spreadByLabel || (one.spreadByField ?? 'cluster') !== field)
  const constraint = {
    spreadByField: field,
    ...(min !== undefined && { minGroups: min }),
    ...(max !== undefined && { maxGroups: max }),
  }
  const next = min === undefined && max === undefined ? others : [...others, constraint]
  const value = withClusters(next)
  return { path: ['spreadConstraints'], value: value.length > 0 ? value : undefined }
}

/** The API accepts another field only together with a constraint by cluster. */
function withClusters(constraints: readonly SpreadConstraint[]): readonly SpreadConstraint[] {
  const byField = constraints.filter(({ spreadByLabel }) => !spreadByLabel)
  const isMissing = byField.length > 0 && !byField.some(({ spreadByField = 'cluster' }) => spreadByField === 'cluster')
  return isMissing ? [...constraints, { spreadByField: 'cluster', minGroups: 1 }] : constraints
}

export const DIVISIONS = ['Duplicated', 'Aggregated', 'Dynamic', 'Static'] as const
export type Division = (typeof DIVISIONS)[number]

export function divisionOf({ replicaScheduling: division }: Placement): Division {
  if (!division || division.replicaSchedulingType === 'Duplicated') return 'Duplicated'
  if (division.replicaDivisionPreference === 'Aggregated') return 'Aggregated'
  return division.weightPreference?.dynamicWeight ? 'Dynamic' : 'Static'
}

export interface StaticWeight {
  clusters: string
  weight: number
}

/** Returns weights by cluster names; undefined if a rule selects clusters otherwise, which the form cannot show. */
export function weightsOf({ replicaScheduling }: Placement): StaticWeight[] | undefined {
  const list = replicaScheduling?.weightPreference?.staticWeightList ?? []
  const isPlain = list.every(
    ({ targetCluster: { labelSelector, fieldSelector, exclude } }) =>
      !labelSelector && !fieldSelector && !exclude?.length,
  )
  if (!isPlain) return undefined
  return list.map(({ targetCluster: { clusterNames = [] }, weight }) => ({ clusters: clusterNames.join(', '), weight }))
}

export function editDivision(division: Division, weights: readonly StaticWeight[] = []): FieldEdit {
  const path = ['replicaScheduling']
  if (division === 'Duplicated') return { path, value: { replicaSchedulingType: 'Duplicated' } }
  const divided = { replicaSchedulingType: 'Divided' }
  if (division === 'Aggregated') return { path, value: { ...divided, replicaDivisionPreference: 'Aggregated' } }
  const weighted = { ...divided, replicaDivisionPreference: 'Weighted' }
  if (division === 'Dynamic')
    return { path, value: { ...weighted, weightPreference: { dynamicWeight: 'AvailableReplicas' } } }
  const staticWeightList = weights.flatMap(({ clusters, weight }) => {
    const clusterNames = namesIn(clusters)
    return clusterNames.length > 0
      ? [{ targetCluster: { clusterNames }, weight: Math.max(1, Math.trunc(weight) || 1) }]
      : []
  })
  return {
    path,
    value: { ...weighted, ...(staticWeightList.length > 0 && { weightPreference: { staticWeightList } }) },
  }
}

/** Returns `key=value:Effect 30`, in the syntax of taints; `key` alone tolerates every value. */
export function tolerationText({ key = '', operator, value, effect, tolerationSeconds }: Toleration): string {
  const taint = `${key}${operator !== 'Exists' && value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`
  return tolerationSeconds === undefined ? taint || '*' : `${taint || '*'} ${tolerationSeconds}`
}

const TOLERATION = /^(\*|[\w./-]+)?(?:=([\w.-]*))?(?::(NoSchedule|PreferNoSchedule|NoExecute))?(?:\s+(\d+))?$/

/** Parses one toleration per line; undefined while a line is invalid. */
export function editTolerations(typed: string): FieldEdit | undefined {
  const lines = typed
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const read = lines.map((line) => TOLERATION.exec(line))
  if (read.some((found) => found === null)) return undefined
  const tolerations = read.map((found) => {
    const [, key = '*', value, effect, seconds] = found!
    return {
      ...(key !== '*' && { key }),
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect && { effect }),
      ...(seconds !== undefined && { tolerationSeconds: Number(seconds) }),
    }
  })
  return { path: ['clusterTolerations'], value: tolerations.length > 0 ? tolerations : undefined }
}
