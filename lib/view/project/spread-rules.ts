/** What a WorkloadSpread asks for, in words. */
import { criticalMs } from '@/lib/domain/spread'
import { formatDuration } from '@/lib/format/durations'
import { joinWords } from '@/lib/format/numbers'
import type { SpreadSubset, WorkloadSpread } from '@/lib/kube/kinds'
import type { SpreadSubsetView } from '../spread-model'

type Spec = NonNullable<WorkloadSpread['spec']>
type Term = NonNullable<SpreadSubset['requiredNodeSelector']>
type Requirement = NonNullable<Term['matchExpressions']>[number]
type Toleration = NonNullable<SpreadSubset['tolerations']>[number]

/** One subset as it is asked for. */
export function projectSubset(subset: SpreadSubset): SpreadSubsetView {
  const { name, maxReplicas, requiredNodeSelector, preferredNodeSelector = [], tolerations = [], patch } = subset
  return {
    name,
    ...(maxReplicas !== undefined && { maxReplicas }),
    rules: [
      ...(requiredNodeSelector ? [`Only on nodes with ${termInWords(requiredNodeSelector)}.`] : []),
      ...preferredNodeSelector.map(
        ({ preference, weight }) => `Rather on nodes with ${termInWords(preference)} (weight ${weight}).`,
      ),
      ...tolerations.map(tolerationInWords),
      ...(patch ? [`Changes its pods: ${joinWords(pathsIn(patch), MOST_PATHS) || 'nothing'}.`] : []),
    ],
  }
}

/** What the strategy and the filter mean, one sentence each. */
export function mannerOf(spec: Spec | undefined): string[] {
  const patience = criticalMs(spec?.scheduleStrategy)
  const adaptive = spec?.scheduleStrategy?.type === 'Adaptive'
  const lines = [
    patience === undefined
      ? 'A pod that finds no node waits in its subset.'
      : `A pod that finds no node for ${formatDuration(patience)} is made anew in another subset; its own takes none for 5 minutes.`,
  ]
  if (adaptive && !spec?.scheduleStrategy?.adaptive?.disableSimulationSchedule)
    lines.push('A subset without room is passed over before a pod is made.')
  if (selectsSome(spec)) lines.push('Only pods that its filter selects are spread.')
  return lines
}

/** True when some pods of the workload may be left out. */
export function selectsSome(spec: Spec | undefined): boolean {
  const { matchLabels = {}, matchExpressions = [] } = spec?.targetFilter?.selector ?? {}
  return Object.keys(matchLabels).length > 0 || matchExpressions.length > 0
}

function termInWords({ matchExpressions = [], matchFields = [] }: Term): string {
  return joinWords([...matchExpressions, ...matchFields].map(requirementInWords)) || 'nothing that any node has'
}

const SIGNS: Readonly<Record<string, string>> = { Gt: '>', Lt: '<', In: 'in', NotIn: 'not in' }

function requirementInWords({ key, operator, values = [] }: Requirement): string {
  if (operator === 'Exists') return `${key} set`
  if (operator === 'DoesNotExist') return `${key} not set`
  if (operator === 'In' && values.length === 1) return `${key}=${values[0]}`
  return `${key} ${SIGNS[operator] ?? operator} ${values.length === 1 ? values[0] : `(${values.join(', ')})`}`
}

function tolerationInWords({ key, operator, value, effect }: Toleration): string {
  const taint = key ? `taint ${key}${operator === 'Exists' || !value ? '' : `=${value}`}` : 'any taint'
  return `Tolerates ${taint}${effect ? ` (${effect})` : ''}.`
}

const MOST_PATHS = 4
/** As deep as it is still clear what is meant. */
const DEPTH = 3

/** The fields that a patch touches, as dotted paths. */
function pathsIn(patch: Readonly<Record<string, unknown>>, at: readonly string[] = []): string[] {
  return Object.entries(patch).flatMap(([field, value]) => {
    const path = [...at, field]
    const isDeeper = typeof value === 'object' && value !== null && !Array.isArray(value) && path.length < DEPTH
    return isDeeper ? pathsIn(value as Record<string, unknown>, path) : [path.join('.')]
  })
}
