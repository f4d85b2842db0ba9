import type { WorkloadRef } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { Link } from '../ui/link'
import { CUT_NAME, titleOf } from '../ui/name-link'

/** The name of a workload, linked, after its namespace; its kind where that is not a Deployment. */
export function WorkloadName({ id, workload: { namespace, name, kind } }: { id: string; workload: WorkloadRef }) {
  return (
    <span className="inline-flex max-w-full items-baseline align-top">
      <span className={CUT_NAME} title={titleOf(namespace ? `${namespace}/${name}` : name)}>
        {namespace && <span className="text-ink-2">{namespace}/</span>}
        <Link href={href.workload(id)} className="font-medium -outline-offset-2 hover:underline">
          {name}
        </Link>
      </span>
      {kind !== 'Deployment' && <span className="ml-2 shrink-0 text-label font-normal text-ink-2">{kind}</span>}
    </span>
  )
}
