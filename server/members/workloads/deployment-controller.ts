/** Rolls each Deployment out: one ReplicaSet per template, moved from the old ones to the new one step by step. */
import { isAlreadyExists } from '@/lib/kube/errors'
import {
  deployment as deploymentKind,
  replicaSet as replicaSetKind,
  type Deployment,
  type ReplicaSet,
} from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcileResult, watch } from '@/server/runtime/controller'
import { createDebounce, type DebounceOptions } from '@/server/runtime/debounce'
import { deploymentStatus } from './deployment-status'
import { GATHER_MS, type MemberContext } from '../member-context'
import { indexByController, ownedBy, ownedObjects, ownerKey } from '../ownership'
import { boundsOf, planRollout, type ReplicaSetState, type RolloutStrategy } from './rollout'
import { isSameStatus } from '../same-status'
import { templateHash } from './template-hash'

const HASH_LABEL = 'pod-template-hash'
const REVISION = 'deployment.kubernetes.io/revision'

/**
 * Longer than ReplicaSets gather their pods, so that a new ReplicaSet and its first count are one status. While many
 * roll out, pods that are not available yet are counted with those that are.
 */
const GATHER_SETS: DebounceOptions = {
  settleMs: 2 * GATHER_MS,
  deferrable: { settleMs: 2 * GATHER_MS, perPendingMs: 20, longestSettleMs: 3_000 },
  intervalMs: 0,
}

export function deploymentController(member: MemberContext): Controller {
  const sets = member.informers.of(replicaSetKind)
  indexByController(sets)
  const debounce = createDebounce(member.clock, GATHER_SETS)
  return {
    name: 'deployment',
    concurrency: 4,
    watches: [watch({ kind: deploymentKind })],
    reads: [replicaSetKind],
    start: (queue) =>
      sets.onChange((change) => {
        const key = ownerKey(change.type === 'deleted' ? change.old : change.object, deploymentKind)
        if (key !== undefined) debounce.changed(queue, key, { deferrable: isOnItsWay(change) })
      }),
    reconcile: (key) => {
      debounce.taken(key)
      return reconcile(member, key)
    },
  }
}

/** A ReplicaSet that is new, or has more pods of which none more is ready: no step of a rollout waits for that. */
function isOnItsWay(change: Change<ReplicaSet>): boolean {
  if (change.type !== 'updated') return change.type === 'added'
  const { old, object } = change
  const count = ({ status }: ReplicaSet) => [status?.readyReplicas, status?.availableReplicas, status?.conditions]
  return (
    old.metadata.generation === object.metadata.generation
    && (object.status?.replicas ?? 0) >= (old.status?.replicas ?? 0)
    && deepEqual(count(old), count(object))
  )
}

/** A Deployment with its ReplicaSets, the old ones oldest first. */
interface Rollout {
  deployment: Deployment
  hash: string
  fresh: ReplicaSet | undefined
  old: readonly ReplicaSet[]
  strategy: RolloutStrategy
}

async function reconcile(member: MemberContext, key: ObjectKey): Promise<ReconcileResult> {
  const deployment = member.informers.of(deploymentKind).get(key)
  if (!deployment || deployment.metadata.deletionTimestamp) return
  const rollout = observe(member, deployment)
  if (!rollout.fresh && !deployment.spec.paused) return begin(member, rollout)
  await scale(member, rollout)
  await deleteOldSets(member, rollout)
  return writeStatus(member, rollout)
}

function observe({ informers }: MemberContext, deployment: Deployment): Rollout {
  const hash = templateHash(deployment.spec.template)
  const sets = ownedObjects(informers.of(replicaSetKind), deployment)
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
  const fresh = sets.find(({ metadata }) => metadata.labels?.[HASH_LABEL] === hash)
  const { strategy, replicas = 1 } = deployment.spec
  return {
    deployment,
    hash,
    fresh,
    old: sets.filter((set) => set !== fresh),
    strategy: strategy?.type === 'Recreate' ? { type: 'Recreate' } : boundsOf(strategy?.rollingUpdate, replicas),
  }
}

/** Creates the new ReplicaSet; the rollout continues when the cache shows it. */
async function begin({ client }: MemberContext, rollout: Rollout): Promise<void> {
  const { deployment, hash } = rollout
  const { namespace } = deployment.metadata
  const { template, selector, minReadySeconds } = deployment.spec
  const name = `${deployment.metadata.name}-${hash}`
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash }
  try {
    await client.create(replicaSetKind, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace,
        labels,
        annotations: { [REVISION]: nextRevision(rollout) },
        ownerReferences: [ownedBy(deploymentKind, deployment)],
      },
      spec: {
        replicas: planRollout(stateOf(rollout, name)).get(name) ?? 0,
        ...(minReadySeconds !== undefined && { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}

async function scale({ client }: MemberContext, rollout: Rollout): Promise<void> {
  const { deployment, fresh, old } = rollout
  const plan =
    deployment.spec.paused || !fresh ? resizeOnly(rollout) : planRollout(stateOf(rollout, fresh.metadata.name))
  const revision = fresh && !deployment.spec.paused && isSuperseded(rollout) ? nextRevision(rollout) : undefined
  for (const set of fresh ? [fresh, ...old] : old) {
    const { namespace, name, resourceVersion } = set.metadata
    const replicas = plan.get(name)
    const renumber = set === fresh && revision !== undefined
    if (replicas === undefined && !renumber) continue
    const value = {
      metadata: { resourceVersion, ...(renumber && { annotations: { [REVISION]: revision } }) },
      ...(replicas !== undefined && { spec: { replicas } }),
    }
    await client.patch(replicaSetKind, { namespace, name }, { type: 'merge', value })
  }
}

/** A paused Deployment does not roll out, but its newest ReplicaSet is still scaled. */
function resizeOnly({ deployment, fresh, old }: Rollout): Map<string, number> {
  const sets = [...old, ...(fresh ? [fresh] : [])]
  const newest = sets.findLast((set) => (set.spec.replicas ?? 0) > 0) ?? fresh
  if (!newest) return new Map()
  const others = sets.reduce((sum, set) => sum + (set === newest ? 0 : (set.spec.replicas ?? 0)), 0)
  const wanted = Math.max(0, (deployment.spec.replicas ?? 1) - others)
  return new Map(newest.spec.replicas === wanted ? [] : [[newest.metadata.name, wanted]])
}

/** Removes empty old ReplicaSets beyond the history limit, oldest first. */
async function deleteOldSets({ client }: MemberContext, { deployment, old }: Rollout): Promise<void> {
  const empty = old.filter(({ spec, status }) => spec.replicas === 0 && (status?.replicas ?? 0) === 0)
  for (const { metadata } of empty.slice(0, Math.max(0, empty.length - (deployment.spec.revisionHistoryLimit ?? 10)))) {
    await client.delete(replicaSetKind, { namespace: metadata.namespace, name: metadata.name })
  }
}

async function writeStatus(
  { client, clock }: MemberContext,
  { deployment, fresh, old, strategy }: Rollout,
): Promise<ReconcileResult> {
  const maxUnavailable = strategy.type === 'Recreate' ? 0 : strategy.maxUnavailable
  const { status, recheckMs } = deploymentStatus({ deployment, fresh, old, maxUnavailable, now: clock.now() })
  const { namespace, name } = deployment.metadata
  if (!isSameStatus(deployment.status, status)) {
    await client.patch(
      deploymentKind,
      { namespace, name },
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    )
  }
  if (recheckMs !== undefined) return { requeueAfterMs: recheckMs }
}

function stateOf({ deployment, fresh, old, strategy }: Rollout, freshName: string) {
  return {
    desired: deployment.spec.replicas ?? 1,
    strategy,
    fresh: fresh ? setState(fresh) : { name: freshName, replicas: 0, pods: 0, available: 0 },
    old: old.map(setState),
  }
}

function setState({ metadata, spec, status }: ReplicaSet): ReplicaSetState {
  return {
    name: metadata.name,
    replicas: spec.replicas ?? 0,
    pods: status?.replicas ?? 0,
    available: status?.availableReplicas ?? 0,
  }
}

const revisionOf = ({ metadata }: ReplicaSet): number => Number(metadata.annotations?.[REVISION] ?? 0)
const highestOf = (sets: readonly ReplicaSet[]): number => Math.max(0, ...sets.map(revisionOf))
const nextRevision = ({ fresh, old }: Rollout): string => String(highestOf(fresh ? [...old, fresh] : old) + 1)
/** Reports whether the template was reverted to that of an older ReplicaSet, which becomes the newest one. */
const isSuperseded = ({ fresh, old }: Rollout): boolean => fresh !== undefined && highestOf(old) >= revisionOf(fresh)
