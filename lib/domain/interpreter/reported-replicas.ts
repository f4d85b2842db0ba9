/** Reads and validates the replicas that a collected status reports for one member. */
import type { Fields } from './shape'

/** The kind of the status. */
interface Resource {
  apiVersion: string
  kind: string
}

/**
 * `none`: nothing was reported. `invalid`: the numbers contradict each other or are not counts; `problem` names the
 * fields and their values. `counted`: `current` replicas exist and `ready` of them are ready; `ready` is undefined for
 * kinds that do not report it. Completed replicas (Job, Pod) are included in both and in `completed`.
 */
export type ReportedReplicas =
  | { type: 'none' }
  | { type: 'invalid'; problem: string }
  | { type: 'counted'; current: number; ready: number | undefined; completed: number }

const NONE: ReportedReplicas = { type: 'none' }

/** Kinds that omit zeros from their status: an absent number is 0, not unknown. */
const OMITS_ZEROS = /^apps\/v1\/(Deployment|StatefulSet|ReplicaSet)$|^apps\.kruise\.io\/[^/]+\/(CloneSet|StatefulSet)$/

/** Fields in which other kinds report ready replicas, most specific first. */
const READY_FIELDS = ['readyReplicas', 'numberReady', 'ready'] as const

/** Reads one collected status. Never throws, whatever a member reports. */
export function reportedReplicas({ apiVersion, kind }: Resource, status: unknown): ReportedReplicas {
  if (status === undefined || status === null) return NONE
  if (typeof status !== 'object' || Array.isArray(status))
    return { type: 'invalid', problem: `status ${shown(status)}` }
  const fields = status as Fields
  if (apiVersion === 'batch/v1' && kind === 'Job') return jobReplicas(fields)
  if (apiVersion === 'v1' && kind === 'Pod') return podReplicas(fields)
  return setReplicas(fields, OMITS_ZEROS.test(`${apiVersion}/${kind}`))
}

/** A status without an observed generation reports nothing, even though the control plane adds generations to it. */
function setReplicas(status: Fields, omitsZeros: boolean): ReportedReplicas {
  const readyField = READY_FIELDS.find((field) => status[field] !== undefined && status[field] !== null)
  const problem = problemIn(status, 'replicas') ?? (readyField && problemIn(status, readyField))
  if (problem !== undefined) return { type: 'invalid', problem }
  const replicas = countIn(status, 'replicas')
  const ready = readyField && countIn(status, readyField)
  if (replicas === undefined && ready === undefined && !hasObserved(status)) return NONE
  if (replicas === undefined && !omitsZeros) return ready === undefined ? NONE : counted(ready, ready)
  const current = replicas ?? 0
  if (ready === undefined) return counted(current, omitsZeros || current === 0 ? 0 : undefined)
  return ready > current
    ? { type: 'invalid', problem: `${readyField} ${ready} > replicas ${current}` }
    : counted(current, ready)
}

const hasObserved = ({ observedGeneration }: Fields): boolean =>
  typeof observedGeneration === 'number' && observedGeneration > 0

const counted = (current: number, ready: number | undefined, completed = 0): ReportedReplicas => ({
  type: 'counted',
  current,
  ready,
  completed,
})

/** The collected status of a Job omits `ready`, as upstream collects it; then only completed pods are certain. */
function jobReplicas(status: Fields): ReportedReplicas {
  const problem = problemIn(status, 'active') ?? problemIn(status, 'ready') ?? problemIn(status, 'succeeded')
  if (problem !== undefined) return { type: 'invalid', problem }
  if (Object.keys(status).length === 0) return NONE
  const [active, succeeded] = [countIn(status, 'active') ?? 0, countIn(status, 'succeeded') ?? 0]
  const ready = countIn(status, 'ready') ?? (active === 0 ? 0 : undefined)
  if (ready !== undefined && ready > active) return { type: 'invalid', problem: `ready ${ready} > active ${active}` }
  return counted(active + succeeded, ready === undefined ? undefined : ready + succeeded, succeeded)
}

function podReplicas({ phase, conditions }: Fields): ReportedReplicas {
  if (phase === undefined) return NONE
  if (phase === 'Succeeded') return counted(1, 1, 1)
  const list = Array.isArray(conditions) ? (conditions as Fields[]) : []
  const isReady = list.some((condition) => condition?.type === 'Ready' && condition.status === 'True')
  return counted(phase === 'Failed' ? 0 : 1, phase === 'Running' && isReady ? 1 : 0)
}

/** Describes the problem of a field that must be a count (a whole number of at least 0); undefined if it is valid. */
function problemIn(status: Fields, name: string): string | undefined {
  const value = status[name]
  return value === undefined || value === null || isCount(value) ? undefined : `${name} ${shown(value)}`
}

/** Null counts as absent. Requires that the field has no problem. */
const countIn = (status: Fields, name: string): number | undefined => (status[name] as number | null) ?? undefined

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Truncated, because a member may report anything. */
function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
  return text.length > 24 ? `${text.slice(0, 24)}…` : text
}
