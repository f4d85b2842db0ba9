/** The controller of WorkloadSpreads: counts pods, sets deletion costs, recreates pending pods. */
import {
  assessSpread,
  DELETION_COST_ANNOTATION,
  groupPods,
  honorsDeletionCost,
  isActive,
  isUnschedulable,
  planDeletionCosts,
  podVersion,
  readMatched,
  rulesOf,
  controllerOf,
  type Adoption,
  type CostChange,
  type PodGroups,
  type SpreadAssessment,
  type SpreadEvent,
} from '@/lib/domain/spread'
import { isNotFound } from '@/lib/kube/errors'
import {
  deployment as deploymentKind,
  node as nodeKind,
  pod as podKind,
  replicaSet as replicaSetKind,
  workloadSpread as spreadKind,
  type Deployment,
  type Pod,
  type WorkloadSpread,
} from '@/lib/kube/kinds'
import { apiVersionOf } from '@/lib/kube/kind'
import { keyOf, objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { EventRecorder } from '@/server/kube/events'
import type { Change } from '@/server/kube/informer'
import { mapBounded } from '@/server/runtime/bounded'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { removePod } from '../make-pod'
import type { MemberContext } from '../member-context'
import { ownedObjects } from '../ownership'
import { templateHash } from '../workloads/template-hash'
import type { SpreadStatusWriter } from './status-writer'
import type { ScaleDown } from './scale-down'
import { referenceTo, WORKLOADS, type Workloads } from './workloads'

export interface SpreadControllerParts {
  member: MemberContext
  statusWriter: SpreadStatusWriter
  workloads: Workloads
  events: EventRecorder
  scaleDown: ScaleDown
}

const PODS_AT_ONCE = 8

/** A pass reads every pod of a workload, so changes of pods are gathered. */
const GATHER_PODS_MS = 250

export function spreadController(parts: SpreadControllerParts): Controller {
  const { informers } = parts.member
  const pods = informers.of(podKind)
  return {
    name: 'spread',
    concurrency: 3,
    watches: [
      watch({ kind: spreadKind, relevant: isOfInterest }),
      ...WORKLOADS.map((kind) => watch({ kind, keys: (change) => keysAbove(parts, change), relevant: isResized })),
    ],
    reads: [podKind, nodeKind, replicaSetKind],
    start: (queue) => {
      const stops = [
        pods.onChange((change) => {
          for (const key of keysOf(parts, change)) queue.addAfter(key, GATHER_PODS_MS)
        }),
        informers.of(spreadKind).onChange((change) => {
          if (change.type !== 'deleted') return
          parts.statusWriter.forget(change.old)
          parts.scaleDown.forget(change.old)
        }),
      ]
      return () => stops.forEach((stop) => stop())
    },
    reconcile: (key) => reconcile(parts, key),
  }
}

/** Status changes of a spread are ignored. */
function isOfInterest(change: Change<WorkloadSpread>): boolean {
  if (change.type !== 'updated') return true
  return (
    change.object.metadata.generation !== change.old.metadata.generation
    || change.object.metadata.annotations !== change.old.metadata.annotations
  )
}

/** Reports whether the size or the template changed, i.e. the generation increased. */
function isResized(change: Change<UnknownObject>): boolean {
  return change.type !== 'updated' || change.object.metadata.generation !== change.old.metadata.generation
}

function keysAbove({ workloads }: SpreadControllerParts, change: Change<UnknownObject>): ObjectKey[] {
  const object = change.type === 'deleted' ? change.old : change.object
  return workloads.spreadsAbove(object.metadata.namespace ?? '', referenceTo(object)).map(objectKey)
}

/** The spread that a pod names, and those of its owners. */
function keysOf({ workloads }: SpreadControllerParts, change: Change<Pod>): Set<ObjectKey> {
  const pod = change.type === 'deleted' ? change.old : change.object
  if (change.type === 'updated' && !matters(change.object, change.old)) return new Set()
  const namespace = pod.metadata.namespace ?? ''
  const [matched, owner] = [readMatched(pod.metadata.annotations), controllerOf(pod)]
  const above = owner ? workloads.spreadsAbove(namespace, owner).map(objectKey) : []
  return new Set([...(matched ? [keyOf({ namespace, name: matched.name })] : []), ...above])
}

/** Changes of a pod that change a count or a decision. */
function matters(pod: Pod, old: Pod): boolean {
  const facts = (one: Pod) => [isActive(one), isUnschedulable(one), one.spec.nodeName, podVersion(one)].join()
  return facts(pod) !== facts(old)
}

async function reconcile(parts: SpreadControllerParts, key: ObjectKey): Promise<ReconcileResult> {
  const spread = parts.statusWriter.newest(key)
  if (!spread?.spec || spread.metadata.deletionTimestamp || !parts.member.informers.of(spreadKind).get(key)) return
  const { groups, adoptions, costs, size } = observe(parts, spread)
  await mapBounded(adoptions, PODS_AT_ONCE, (adoption) => adopt(parts, adoption))
  await mapBounded(costs, PODS_AT_ONCE, (change) => weigh(parts, spread, change))
  parts.scaleDown.weighed(spread, size)
  const assessment = await parts.statusWriter.submit(spread, (current) => {
    const now = parts.member.clock.now()
    const result = assessSpread({ spread: current, groups, size, now, rules: rulesOf(current) })
    return { status: result.status, changed: result.changed, result }
  })
  if (assessment) return conclude(parts, spread, assessment)
}

interface Observation {
  groups: Map<string, PodGroups>
  adoptions: Adoption[]
  costs: CostChange[]
  size: number
}

function observe({ member, workloads }: SpreadControllerParts, spread: WorkloadSpread): Observation {
  const nodes = new Map(
    member.informers
      .of(nodeKind)
      .list()
      .map((node) => [node.metadata.name, node]),
  )
  const size = workloads.sizeOf(spread)
  const fresh = freshVersion({ member, workloads }, spread)
  const { subsets, targetRef } = spread.spec!
  const seen: Observation = { groups: new Map(), adoptions: [], costs: [], size }
  for (const [version, pods] of Map.groupBy(size === 0 ? [] : workloads.podsOf(spread), podVersion)) {
    const { groups, adoptions } = groupPods({ spread, pods, nodes, size })
    seen.groups.set(version, groups)
    seen.adoptions.push(...adoptions)
    const old = fresh !== undefined && fresh !== version
    const costs = { subsets, groups, size, old, rules: rulesOf(spread) }
    if (honorsDeletionCost(targetRef)) seen.costs.push(...planDeletionCosts(costs))
  }
  return seen
}

/**
 * Returns the revision that is being rolled out; undefined where revisions are not distinguished, empty while there is
 * none.
 */
function freshVersion(
  { member, workloads }: Pick<SpreadControllerParts, 'member' | 'workloads'>,
  { metadata, spec }: WorkloadSpread,
): string | undefined {
  const workload = spec && workloads.find(metadata.namespace, spec.targetRef)
  if (spec?.targetRef.kind !== deploymentKind.kind) return undefined
  if (!workload) return ''
  const sets = ownedObjects(member.informers.of(replicaSetKind), workload)
  const hash = templateHash((workload as unknown as Deployment).spec.template)
  const found = sets.find((set) => set.metadata.labels?.['pod-template-hash'] === hash)
  return found ? hash : sets.length === 0 ? '' : newestOf(sets)
}

const REVISION = 'deployment.kubernetes.io/revision'

function newestOf(
  sets: readonly { metadata: { labels?: Record<string, string>; annotations?: Record<string, string> } }[],
): string {
  const number = ({ metadata }: (typeof sets)[number]): number => Number(metadata.annotations?.[REVISION] ?? 0)
  const newest = sets.toSorted((a, b) => number(b) - number(a))[0]
  return newest?.metadata.labels?.['pod-template-hash'] ?? ''
}

async function adopt({ member }: SpreadControllerParts, { pod, patch }: Adoption): Promise<void> {
  await patchPod(member, pod, patch)
}

async function weigh(parts: SpreadControllerParts, spread: WorkloadSpread, { pod, cost }: CostChange): Promise<void> {
  try {
    await patchPod(parts.member, pod, { metadata: { annotations: { [DELETION_COST_ANNOTATION]: cost } } })
    parts.scaleDown.weighing(spread, { pod, cost })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // upstream: OpenKruise pkg/controller/workloadspread
    const message = `Failed to patch deletion-cost annotation of pod ${pod.metadata.name}: ${reason}`
    record(parts, spread, { type: 'Warning', reason: 'PatchPodDeletionCostFailed', message })
    throw error
  }
}

/** A deleted pod needs no patch. */
async function patchPod(
  { client }: MemberContext,
  { metadata: { namespace, name } }: Pod,
  value: object,
): Promise<void> {
  try {
    await client.patch(podKind, { ...(namespace !== undefined && { namespace }), name }, { type: 'merge', value })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function conclude(
  parts: SpreadControllerParts,
  spread: WorkloadSpread,
  assessment: SpreadAssessment,
): Promise<ReconcileResult> {
  for (const event of assessment.events) record(parts, spread, event)
  await mapBounded(assessment.failed, PODS_AT_ONCE, (pod) => removePod(parts.member, pod))
  if (assessment.requeueAfterMs !== undefined) return { requeueAfterMs: assessment.requeueAfterMs }
}

function record(
  { events }: SpreadControllerParts,
  { metadata: { namespace, name, uid } }: WorkloadSpread,
  event: SpreadEvent,
): void {
  const place = namespace !== undefined && { namespace }
  const regarding = { apiVersion: apiVersionOf(spreadKind), kind: spreadKind.kind, name, uid, ...place }
  events.record({ component: 'workloadspread-controller', ...event, regarding })
}
