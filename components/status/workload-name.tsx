import type { WorkloadRef } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { Link } from '../ui/link'

/** The name of a workload, linked, after its namespace; its kind where that is not a Deployment. */
export function WorkloadName({ id, workload }: { id: string; workload: WorkloadRef }) {
  return (
    <>
      {workload.namespace && <span className="text-ink-2">{workload.namespace}/</span>}
      <Link href={href.workload(id)} className="font-medium hover:underline">
        {workload.name}
      </Link>
      {workload.kind !== 'Deployment' && (
        <span className="ml-2 text-label font-normal text-ink-2">{workload.kind}</span>
      )}
    </>
  )
}
