/** Finds workloads, their pods and their spreads inside a member. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import {
  cloneSet,
  deployment,
  job,
  replicaSet,
  statefulSet,
  pod as podKind,
  workloadSpread as spreadKind,
  type Pod,
  type WorkloadSpread,
} from '@/lib/kube/kinds'
import { isNotFound } from '@/lib/kube/errors'
import { keyOf, type KubeObject, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import { groupOf, isSameWorkload, type WorkloadReference } from '@/lib/kube/workload-target'
import { controllerOf, hasShares, isSupportedOwner, selectsPod, workloadSize } from '@/lib/domain/spread'
import { indexByController, ownedObjects } from '../ownership'
import type { MemberContext } from '../member-context'

type AnyKind = Kind<UnknownObject>

/** Kinds whose pods may be spread and that exist in a simulated member. */
export const WORKLOADS = [deployment, replicaSet, statefulSet, cloneSet, job] as unknown as readonly AnyKind[]

const BY_TARGET = 'target'

export class Workloads {
  constructor(private readonly member: Pick<MemberContext, 'informers' | 'client'>) {
    const { informers } = member
    indexByController(informers.of(podKind))
    indexByController(informers.of(replicaSet))
    informers
      .of(spreadKind)
      .addIndex(BY_TARGET, ({ metadata, spec }) =>
        spec?.targetRef ? [targetKey(metadata.namespace, spec.targetRef)] : [],
      )
  }

  /** Finds the workload in the cache. */
  find(namespace: string | undefined, reference: WorkloadReference): UnknownObject | undefined {
    const kind = kindOf(reference)
    return kind && this.member.informers.of(kind).get(keyOf({ namespace: namespace ?? '', name: reference.name }))
  }

  /** The owners of a pod, nearest first, as far as they are supported. An owner that does not exist ends the list. */
  async ownersOf(namespace: string, owner: WorkloadReference): Promise<UnknownObject[]> {
    const owners: UnknownObject[] = []
    let next: WorkloadReference | undefined = owner
    while (next && isSupportedOwner(next)) {
      const found: UnknownObject | undefined = this.find(namespace, next) ?? (await this.#fetch(namespace, next))
      if (!found) break
      owners.push(found)
      next = controllerOf(found)
    }
    return owners
  }

  async #fetch(namespace: string, reference: WorkloadReference): Promise<UnknownObject | undefined> {
    const kind = kindOf(reference)
    if (!kind) return undefined
    try {
      return await this.member.client.get(kind, { namespace, name: reference.name })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** The pods of the workload of a spread that its filter selects. */
  podsOf({ metadata: { namespace }, spec }: WorkloadSpread): Pod[] {
    const workload = spec?.targetRef && this.find(namespace, spec.targetRef)
    if (!workload) return []
    const pods = this.member.informers.of(podKind)
    const sets =
      workload.kind === 'Deployment' ? ownedObjects(this.member.informers.of(replicaSet), workload) : [workload]
    return sets
      .flatMap((set) => ownedObjects(pods, set))
      .filter(({ metadata }) => {
        const selected = selectsPod(spec.targetFilter, metadata.labels, true)
        return selected.ok && selected.value
      })
  }

  /** Returns the size of the workload of a spread; 0 when it does not exist, or its size cannot be read. */
  sizeOf({ metadata: { namespace }, spec }: WorkloadSpread): number {
    const workload = spec?.targetRef && this.find(namespace, spec.targetRef)
    const size = workload && workloadSize(workload, spec.targetFilter?.replicasPathList)
    return size?.ok ? size.value : 0
  }

  /** Returns the size if a limit depends on it, else 0. */
  sizeForShares(spread: WorkloadSpread): number {
    return hasShares(spread.spec?.subsets ?? []) ? this.sizeOf(spread) : 0
  }

  /** Returns the spreads that name the object or one of its owners in the cache. */
  spreadsAbove(namespace: string, reference: WorkloadReference): WorkloadSpread[] {
    const spreads = this.member.informers.of(spreadKind)
    const found: WorkloadSpread[] = []
    let next: WorkloadReference | undefined = reference
    while (next && isSupportedOwner(next)) {
      found.push(...spreads.byIndex(BY_TARGET, targetKey(namespace, next)))
      const owner: UnknownObject | undefined = this.find(namespace, next)
      next = owner && controllerOf(owner)
    }
    return found
  }
}

/** Returns a reference to a workload. */
export function referenceTo({ apiVersion, kind, metadata: { name } }: KubeObject): WorkloadReference {
  return { apiVersion, kind, name }
}

/** The version of a reference does not matter. */
function kindOf(reference: WorkloadReference): AnyKind | undefined {
  return WORKLOADS.find((kind) =>
    isSameWorkload({ apiVersion: apiVersionOf(kind), kind: kind.kind, name: '' }, { ...reference, name: '' }),
  )
}

function targetKey(namespace: string | undefined, { apiVersion, kind, name }: WorkloadReference): ObjectKey {
  const group = groupOf(apiVersion)
  return `${namespace ?? ''}/${group.ok ? group.value : apiVersion}/${kind}/${name}`
}
