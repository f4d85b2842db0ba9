/** What a collected status says about the replicas of a workload in one member, checked before anything counts it. */
import type { Fields } from './shape'

/** The kind whose status is read. */
interface Resource {
  apiVersion: string
  kind: string
}

/**
 * `none`: nothing was reported. `invalid`: the numbers contradict each other or are no counts; `problem` names the fields
 * and their values.
 * `counted`: `current` replicas exist; `ready` of them are ready, undefined where the kind does not report it. Replicas
 * that completed (Job, Pod) are among both and also in `completed`.
 */
export type ReportedReplicas =
  | { type: 'none' }
  | { type: 'invalid'; problem: string }
  | { type: 'counted'; current: number; ready: number | undefined; completed: number }

const NONE: ReportedReplicas = { type: 'none' }

/** Kinds that leave a zero out of their status: an absent number is 0, and not unknown. */
const OMITS_ZEROS = /^apps\/v1\/(Deployment|StatefulSet|ReplicaSet)$|^apps\.kruise\.io\/[^/]+\/(CloneSet|StatefulSet)$/

/** Fields in which other kinds report ready replicas, the most specific first. */
const READY_FIELDS = ['readyReplicas', 'numberReady', 'ready'] as const

/** Reads one collected status. Never throws: whatever a member reports has an answer. */
export function reportedReplicas({ apiVersion, kind }: Resource, status: unknown): ReportedReplicas {
  if (status === undefined || status === null) return NONE
  if (typeof status !== 'object' || Array.isArray(status))
    return { type: 'invalid', problem: `status ${shown(status)}` }
  const fields = status as Fields
  if (apiVersion === 'batch/v1' && kind === 'Job') return jobReplicas(fields)
  if (apiVersion === 'v1' && kind === 'Pod') return podReplicas(fields)
  return setReplicas(fields, OMITS_ZEROS.test(`${apiVersion}/${kind}`))
}

/** A controller that has observed nothing has reported nothing, though the control plane adds generations by itself. */
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

/** The collected status of a Job leaves `ready` out (as upstream collects it); then only completed pods are certain. */
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

/** What is wrong with a field that is to be a count, a whole number from 0 on; undefined when nothing is. */
function problemIn(status: Fields, name: string): string | undefined {
  const value = status[name]
  return value === undefined || value === null || isCount(value) ? undefined : `${name} ${shown(value)}`
}

/** Absent and null count as absent. The field has no problem. */
const countIn = (status: Fields, name: string): number | undefined => (status[name] as number | null) ?? undefined

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** At most a few characters: a member may report anything. */
function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
  return text.length > 24 ? `${text.slice(0, 24)}…` : text
}
