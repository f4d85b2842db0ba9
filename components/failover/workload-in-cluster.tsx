import type { WorkloadRef } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { Rich } from '../messages/rich'
import { WorkloadName } from '../status/workload-name'
import { Link } from '../ui/link'

/** `web in member1`, each linked to its page. */
export function WorkloadInCluster({
  workload,
  name,
  cluster,
}: {
  workload: string
  name: WorkloadRef
  cluster: string
}) {
  return (
    <Rich
      code="failover.workloadInCluster"
      args={{ cluster }}
      parts={{
        workload: <WorkloadName id={workload} workload={name} />,
        in: <span className="text-ink-2" />,
        link: <Link href={href.cluster(cluster)} className="hover:underline" />,
      }}
    />
  )
}
