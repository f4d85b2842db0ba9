import type { Text } from '@/lib/messages'
import type { WorkloadView } from '@/lib/view/model'
import { nameOfId } from '@/lib/view/workload-id'
import type { Flow } from './flows'

/** What is pointed at: a workload, or all that an arc carries. */
export type Lit = { workload: string } | { flow: Flow }

const MAX_NAMES = 5

/** What is pointed at, in one sentence. */
export function litWords(text: Text, lit: Lit, workloads: ReadonlyMap<string, WorkloadView>): string {
  if ('flow' in lit) {
    const { from, to, kind, replicas, workloads: ids } = lit.flow
    return text('overview.federation.arc', {
      from,
      to,
      kind,
      replicas,
      workloads: ids.slice(0, MAX_NAMES).map(nameOfId),
      more: Math.max(0, ids.length - MAX_NAMES),
    })
  }
  const workload = workloads.get(lit.workload)
  if (workload === undefined) return nameOfId(lit.workload)
  return text('overview.federation.lit', {
    workload: nameOfId(lit.workload),
    ready: workload.ready,
    desired: workload.desired,
    clusters: workload.cells.map(({ cluster }) => cluster),
  })
}
