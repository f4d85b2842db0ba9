/** Reads the desired number of pods of a workload. */
import type { UnknownObject } from '../../kube/object'
import { err, ok, type Result } from '../../std/result'

/** Returns the whole number at a dotted path, with list indexes. An empty path gives 0. */
export function replicasAt(object: unknown, path: string): Result<number> {
  if (path === '') return ok(0)
  let value = object
  for (const step of path.split('.')) {
    const next = enter(value, step)
    if (!next.ok) return next
    value = next.value
  }
  return Number.isInteger(value) ? ok(value as number) : err(TYPE_ERROR)
}

// upstream: OpenKruise pkg/controller/workloadspread, GetReplicasFromObject
const TYPE_ERROR = 'object type error'

function enter(value: unknown, step: string): Result<unknown> {
  if (Array.isArray(value)) {
    if (!/^[+-]?\d+$/.test(step)) return err(`invalid index ${JSON.stringify(step)}`)
    const index = Number(step)
    // upstream: as above
    return index >= 0 && index < value.length ? ok(value[index] as unknown) : err(`index ${step} out of range`)
  }
  if (typeof value !== 'object' || value === null) return err(TYPE_ERROR)
  return Object.hasOwn(value, step)
    ? ok((value as Record<string, unknown>)[step])
    : err(`path ${JSON.stringify(step)} not exists`)
}

/** Returns the sum over several paths; the first invalid path is the error. */
export function sumReplicas(object: unknown, paths: readonly string[]): Result<number> {
  let sum = 0
  for (const path of paths) {
    const found = replicasAt(object, path)
    if (!found.ok) return found
    sum += found.value
  }
  return ok(sum)
}

/**
 * Returns the size of a workload: the sum over the paths of the target filter, otherwise `parallelism` of a Job and
 * `replicas` of other kinds. An absent field means 1, its default in the API.
 */
export function workloadSize(workload: UnknownObject, paths: readonly string[] = []): Result<number> {
  if (paths.length > 0) return sumReplicas(workload, paths)
  const { replicas, parallelism } = (workload.spec ?? {}) as { replicas?: number; parallelism?: number }
  return ok((workload.kind === 'Job' ? parallelism : replicas) ?? 1)
}
