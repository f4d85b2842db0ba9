/** Builds the published status from the observation. */
import { apiEnablementsOf, observeEnablements, summarizeNodes, summarizeResources } from '@/lib/domain/cluster'
import { setCondition, type NewCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds'
import { deepEqual } from '@/lib/std/equal'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import type { MemberCopy } from './member-copies'
import type { Discovery } from './probe'

export type ClusterStatus = NonNullable<Cluster['status']>

/** Changes only the Ready condition; the rest of the status stays. */
export function readinessOnly({ status = {} }: Cluster, ready: NewCondition, now: EpochMs): ClusterStatus {
  return { ...status, conditions: setCondition(status.conditions, ready, formatTime(now)) }
}

/** Returns the complete status of a healthy member. Without cached nodes and pods, the old figures stay. */
export function collected(
  cluster: Cluster,
  { ready, discovery, copy }: { ready: NewCondition; discovery: Discovery; copy: MemberCopy | undefined },
  now: EpochMs,
): ClusterStatus {
  const apiEnablements = apiEnablementsOf(discovery.lists)
  const { conditions } = cluster.status ?? {}
  const time = formatTime(now)
  const { kubernetesVersion } = discovery
  return {
    ...cluster.status,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    apiEnablements,
    conditions: setCondition(
      setCondition(conditions, observeEnablements(apiEnablements, discovery.complete), time),
      ready,
      time,
    ),
    ...(copy && figures(cluster, copy)),
  }
}

type Figures = Pick<ClusterStatus, 'nodeSummary' | 'resourceSummary'>
const known = new WeakMap<MemberCopy, { models: Cluster['spec']['resourceModels']; figures: Figures }>()

/** Computed once per cached copy, because probes are frequent and changes are not. */
function figures({ spec: { resourceModels: models } }: Cluster, copy: MemberCopy): Figures {
  const last = known.get(copy)
  if (last && deepEqual(last.models, models)) return last.figures
  const figures = {
    nodeSummary: summarizeNodes(copy.nodes),
    resourceSummary: summarizeResources({ ...copy, resourceModels: models }),
  }
  known.set(copy, { models, figures })
  return figures
}
