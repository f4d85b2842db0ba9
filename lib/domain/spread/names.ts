/** Annotations, timeouts and costs that a WorkloadSpread, its webhook and its controller share. */

/** On pods: the spread and the subset of the pod, as JSON. */
export const MATCHED_ANNOTATION = 'apps.kruise.io/matched-workloadspread'

/** On pods: the deletion cost. Pods with a lower cost are deleted first. */
export const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost'

/** On a spread, `true` in any case: existing pods keep their metadata. */
export const IGNORE_EXISTING_ANNOTATION = 'workloadspread.kruise.io/ignore-patch-existing-pods-metadata'

/** Name under which pods without a subset are counted. */
export const NO_SUBSET = 'kruise.io/workloadspread-fake-subset-name'

/** The revision of pods whose workload has no revisions. */
export const ANY_VERSION = 'versionIgnored'

/** `missingReplicas` of a subset without a limit. */
export const UNLIMITED = -1

/** Timeouts for an admitted pod to appear, and for a pod to disappear after its deletion was admitted. */
export const CREATION_TIMEOUT_MS = 30_000
export const DELETION_TIMEOUT_MS = 15_000

/** How long a subset without capacity is skipped. */
export const UNSCHEDULABLE_RETENTION_MS = 300_000

/** The condition that reports whether a subset accepts pods. */
export const SCHEDULABLE = 'Schedulable'

/** Difference between the deletion costs of neighboring subsets. */
export const COST_STEP = 100

/** Content of the annotation. `uid` replaces the name of a pod that had none when it was admitted. */
export interface Matched {
  name: string
  subset: string
  uid?: string
}

/** Formats the annotation: keys in this order, no spaces. */
export function formatMatched({ name, subset, uid }: Matched): string {
  return JSON.stringify({ name, subset, ...(uid && { uid }) })
}

type Annotations = Readonly<Record<string, string>>

/** Cached, because thousands of pods are read repeatedly, and their annotations never change in place. */
const known = new WeakMap<Annotations, Matched | undefined>()

/** Parses the annotation, with keys in any case; undefined if it is absent or invalid. */
export function readMatched(annotations: Annotations | undefined): Matched | undefined {
  if (annotations?.[MATCHED_ANNOTATION] === undefined) return undefined
  if (known.has(annotations)) return known.get(annotations)
  const matched = parseMatched(annotations[MATCHED_ANNOTATION])
  known.set(annotations, matched)
  return matched
}

function parseMatched(text: string): Matched | undefined {
  const fields = parse(text)
  if (!fields) return undefined
  const byName = new Map(Object.entries(fields).map(([key, value]) => [key.toLowerCase(), value]))
  const [name, subset, uid] = ['name', 'subset', 'uid'].map((key) => byName.get(key) ?? '')
  if (typeof name !== 'string' || typeof subset !== 'string' || typeof uid !== 'string') return undefined
  return { name, subset, ...(uid && { uid }) }
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
