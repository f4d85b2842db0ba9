import { Link } from '../ui/link'

interface TrailProps {
  /** The list that this page is one of. */
  parent: { href: string; label: string }
  name: string
  /** What it is an instance of, where the name does not tell. */
  kind?: string
}

/** The title of a page below a list: the way back, and the name. */
export function Trail({ parent, name, kind }: TrailProps) {
  return (
    <>
      <Link href={parent.href} className="font-normal text-ink-2 hover:underline">
        {parent.label}
      </Link>
      <span aria-hidden="true" className="mx-2 font-normal text-ink-2">
        /
      </span>
      {name}
      {kind !== undefined && <span className="ml-3 inline-block text-body font-normal text-ink-2">{kind}</span>}
    </>
  )
}

/** The parents that there are. */
export const TRAILS = {
  workloads: { href: '/workloads', label: 'Workloads' },
  rebalancers: { href: '/rebalancers', label: 'Rebalancers' },
  queues: { href: '/queues', label: 'Queues' },
}
