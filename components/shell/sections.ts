/** The entries of the navigation, and which of them a page belongs to. */
export interface Section {
  path: string
  /** The key sequence that goes there. */
  keys: string
  /** Its title is the message `shell.section.<id>`. */
  id:
    | 'overview'
    | 'incidents'
    | 'rebalance'
    | 'queues'
    | 'workloads'
    | 'clusters'
    | 'resilience'
    | 'rehearsals'
    | 'policies'
    | 'spread'
    | 'activity'
    | 'control-plane'
  /** Under which heading it stands: the message `shell.group.<group>`. */
  group: Group
  /** Pages of the same entry under another path. */
  also?: string
  /** Shown in the bar of narrow screens; the others are behind its last button. */
  onPhone?: true
}

/** `home` has no heading. */
export const GROUPS = ['home', 'operate', 'fleet', 'system'] as const
type Group = (typeof GROUPS)[number]

export const SECTIONS: readonly Section[] = [
  { path: '/overview', keys: 'g o', id: 'overview', group: 'home', onPhone: true },
  { path: '/failover', keys: 'g i', id: 'incidents', group: 'operate', onPhone: true },
  { path: '/rebalancers', keys: 'g r', id: 'rebalance', group: 'operate' },
  { path: '/queues', keys: 'g q', id: 'queues', group: 'operate', onPhone: true },
  { path: '/fleet', keys: 'g f', id: 'workloads', group: 'fleet', also: '/workloads', onPhone: true },
  { path: '/clusters', keys: 'g c', id: 'clusters', group: 'fleet' },
  { path: '/policies', keys: 'g l', id: 'policies', group: 'fleet' },
  { path: '/clusters/what-if', keys: 'g e', id: 'resilience', group: 'fleet' },
  { path: '/rehearsals', keys: 'g h', id: 'rehearsals', group: 'fleet' },
  { path: '/spread', keys: 'g s', id: 'spread', group: 'fleet' },
  { path: '/activity', keys: 'g y', id: 'activity', group: 'system' },
  { path: '/control-plane', keys: 'g p', id: 'control-plane', group: 'system' },
]

/** The entry that a page belongs to: the one with the longest path above it. */
export function sectionOf(pathname: string): Section | undefined {
  const depthIn = ({ path, also }: Section): number =>
    Math.max(...[path, also].map((each) => (each !== undefined && isBelow(pathname, each) ? each.length : 0)))
  const [best] = SECTIONS.toSorted((a, b) => depthIn(b) - depthIn(a))
  return best !== undefined && depthIn(best) > 0 ? best : undefined
}

const isBelow = (pathname: string, path: string): boolean => pathname === path || pathname.startsWith(`${path}/`)
