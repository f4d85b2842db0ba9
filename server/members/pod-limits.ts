/**
 * Limits the pods of a simulated member. Replica counts come from tenants, and every pod is in the memory of this
 * process: without a limit one field of one object could exhaust it.
 */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { WorkloadCondition } from '@/lib/kube/kinds'
import type { KubeObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import type { MemberContext } from './member-context'

/** `source.component` of the events about these limits. */
export const SIMULATOR = 'simulated-member'

/** Maximum pods of one workload. */
export const PODS_PER_WORKLOAD = 1000
/** Maximum pods of one member. */
export const PODS_PER_MEMBER = 10_000

/** The member is full. Retried like any failure, because pods may be deleted. */
export class MemberFull extends Error {
  override readonly name = 'MemberFull'
  constructor(member: string) {
    super(
      `Simulated member ${member} runs at most ${PODS_PER_MEMBER} pods, and they exist. `
        + 'Delete or scale down workloads there.',
    )
  }
}

/** The simulated replicas: the desired number up to the limit. */
export const boundedReplicas = (replicas: number): number => Math.min(Math.max(0, replicas), PODS_PER_WORKLOAD)

/** Why fewer pods than desired are created; undefined if all are. */
export function refusalOf(asked: number, member: string): string | undefined {
  if (asked <= PODS_PER_WORKLOAD) return undefined
  return `Simulated member ${member} creates at most ${PODS_PER_WORKLOAD} pods per workload; ${asked} were asked for.`
}

interface Asked {
  owner: KubeObject & { status?: { conditions?: readonly WorkloadCondition[] } | undefined }
  kind: Kind
  asked: number
}

/**
 * The conditions of a workload, with `ReplicaFailure` while it desires more than is simulated; undefined without
 * changes. An event is recorded when it begins.
 */
export function limitConditions(
  { name, events, clock }: MemberContext,
  { owner, kind, asked }: Asked,
): WorkloadCondition[] | undefined {
  const { conditions = [] } = owner.status ?? {}
  const before = conditions.find(({ type }) => type === 'ReplicaFailure')
  const message = refusalOf(asked, name)
  if (before?.message === message) return undefined
  const others = conditions.filter(({ type }) => type !== 'ReplicaFailure')
  if (message === undefined) return others
  const { namespace, name: ownName, uid } = owner.metadata
  const regarding = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...(namespace !== undefined && { namespace }),
    name: ownName,
    uid,
  }
  events.record({ component: SIMULATOR, type: 'Warning', reason: 'FailedCreate', message, regarding })
  const lastTransitionTime = before?.lastTransitionTime ?? formatTime(clock.now())
  return [...others, { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message, lastTransitionTime }]
}
