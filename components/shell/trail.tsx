'use client'
import { useText } from '../messages/use-text'
import { Link } from '../ui/link'

interface TrailProps {
  /** The list that this page is one of. */
  parent: (typeof TRAILS)[keyof typeof TRAILS]
  name: string
  /** Kind of the object, if its name does not show it. */
  kind?: string
}

/** The title of a page below a list: the way back, and the name. */
export function Trail({ parent, name, kind }: TrailProps) {
  const text = useText()
  return (
    <>
      <Link href={parent.href} className="font-normal text-ink-2 hover:underline">
        {text(parent.title)}
      </Link>
      <span aria-hidden="true" className="mx-2 font-normal text-ink-2">
        /
      </span>
      {name}
      {kind !== undefined && <span className="ml-3 inline-block text-body font-normal text-ink-2">{kind}</span>}
    </>
  )
}

/** The lists that pages lie below. */
export const TRAILS = {
  incidents: { href: '/failover', title: 'shell.section.incidents' },
  workloads: { href: '/workloads', title: 'shell.section.workloads' },
  rebalancers: { href: '/rebalancers', title: 'shell.section.rebalance' },
  clusters: { href: '/clusters', title: 'shell.section.clusters' },
  policies: { href: '/policies', title: 'shell.section.policies' },
  queues: { href: '/queues', title: 'shell.section.queues' },
  rehearsals: { href: '/rehearsals', title: 'shell.section.rehearsals' },
} as const
