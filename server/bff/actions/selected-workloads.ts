/**
 * Determines which workloads a selection chooses, so that a plan that would be too large is refused before it exists.
 */
import { selectWorkloads, type WorkloadRef } from '@/lib/domain/rebalance'
import { MAX_WORKLOADS } from '@/lib/domain/rebalance/run'
import { KubeError } from '@/lib/kube/errors'
import type { RebalanceSelection } from '@/lib/kube/kinds/rebalance-plan'
import { message } from '@/lib/messages/message'
import type { Selection } from '@/lib/view/actions'
import { workloadId } from '@/lib/view/workload-id'
import type { KubeClient } from '@/server/kube/client'
import { discoverVersion } from '@/server/kube/discovery'
import type { Scope } from '../access/access'
import { seesWorkload } from '../access/resources'
import { refuse } from '../http/refusal'
import type { ControlPlaneCache } from '../cache/control-plane-cache'

interface Asked {
  /** The selection as requested: its labels are text. */
  asked: Selection
  /** The same selection in the form of RebalancePlan. */
  selection: RebalanceSelection
  cache: ControlPlaneCache
  scope: Scope
  /** A client with the caller's credentials. */
  client: KubeClient
}

/**
 * Throws TooManyWorkloads with the chosen workloads if they exceed the limit of a plan, so that the caller can split
 * them. Counts visible workloads. If the caller may not list the templates with the labels, nothing is refused here:
 * the plan itself then reports it.
 */
export async function refuseTooMany({ asked, selection, cache, scope, client }: Asked): Promise<void> {
  const { labelSelector: _, ...rest } = selection
  const bindings = cache.bindings()
  // A selection of labels alone chooses among all workloads.
  const candidates =
    Object.keys(rest).length > 0
      ? selectWorkloads({ selection: rest }, { bindings })
      : selectWorkloads(
          { selection: { kinds: [...new Set(bindings.map(({ spec }) => spec.resource.kind))] } },
          { bindings },
        )
  const seen = candidates.filter((ref) => seesWorkload(scope, workloadId(ref)))
  if (seen.length <= MAX_WORKLOADS) return
  const chosen = asked.labels === undefined ? seen : await labelled(seen, asked.labels, client)
  if (chosen === undefined || chosen.length <= MAX_WORKLOADS) return
  throw refuse(
    400,
    'TooManyWorkloads',
    message('rebalance.problem.tooManySelected', { n: chosen.length, most: MAX_WORKLOADS }),
    { workloads: chosen },
  )
}

/** Returns the workloads whose templates match; undefined when the templates cannot be listed. */
async function labelled(
  refs: readonly WorkloadRef[],
  labelSelector: string,
  client: KubeClient,
): Promise<WorkloadRef[] | undefined> {
  try {
    const matching = new Set<string>()
    for (const [apiVersion, some] of Map.groupBy(refs, ({ apiVersion: version }) => version)) {
      const kinds = new Set(some.map(({ kind }) => kind))
      for (const kind of await discoverVersion(client, apiVersion)) {
        if (!kinds.has(kind.kind)) continue
        const { items } = await client.list(kind, { labelSelector })
        for (const {
          metadata: { namespace, name },
        } of items) {
          matching.add(workloadId({ apiVersion, kind: kind.kind, ...(namespace && { namespace }), name }))
        }
      }
    }
    return refs.filter((ref) => matching.has(workloadId(ref)))
  } catch (error) {
    if (error instanceof KubeError) return undefined
    throw error
  }
}
