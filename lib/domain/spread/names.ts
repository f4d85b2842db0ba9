/** Words, times and costs by which a WorkloadSpread, its webhook and its controller understand each other. */

/** On pods: which spread put them into which subset, as JSON. */
export const MATCHED_ANNOTATION = 'apps.kruise.io/matched-workloadspread'

/** On pods: what one weighs when a workload has too many. Less goes first. */
export const DELETION_COST_ANNOTATION = 'controller.kubernetes.io/pod-deletion-cost'

/** On a spread, `true` in any case: pods that were there before it keep their metadata. */
export const IGNORE_EXISTING_ANNOTATION = 'workloadspread.kruise.io/ignore-patch-existing-pods-metadata'

/** Where pods are counted that belong to no subset. */
export const NO_SUBSET = 'kruise.io/workloadspread-fake-subset-name'

/** The revision of pods whose workload tells none apart. */
export const ANY_VERSION = 'versionIgnored'

/** `missingReplicas` of a subset without a limit. */
export const UNLIMITED = -1

/** How long an admitted pod may take to appear, and a pod to go after its deletion was admitted. */
export const CREATION_TIMEOUT_MS = 30_000
export const DELETION_TIMEOUT_MS = 15_000

/** How long a subset that had no room is passed over. */
export const UNSCHEDULABLE_RETENTION_MS = 300_000

/** The condition that says whether a subset takes pods. */
export const SCHEDULABLE = 'Schedulable'

/** Subsets are this far apart in the cost of their pods. */
export const COST_STEP = 100

/** What the annotation of a pod says. `uid` stands for the name of a pod that had none when it was admitted. */
export interface Matched {
  name: string
  subset: string
  uid?: string
}

/** The annotation as it is written: keys in this order, no spaces. */
export function formatMatched({ name, subset, uid }: Matched): string {
  return JSON.stringify({ name, subset, ...(uid && { uid }) })
}

type Annotations = Readonly<Record<string, string>>

/** Thousands of pods are looked at again and again, and their annotations are never changed in place. */
const known = new WeakMap<Annotations, Matched | undefined>()

/** Reads the annotation, whatever the case of its keys; undefined when there is none that can be read. */
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
