/** The pages of the console, in the order of the sidebar. */
export interface Section {
  path: string
  /** The key sequence that goes there. */
  keys: string
  /** Its title is the message `shell.section.<id>`. */
  id:
    | 'fleet'
    | 'workloads'
    | 'failover'
    | 'queues'
    | 'rebalancers'
    | 'clusters'
    | 'spread'
    | 'activity'
    | 'control-plane'
}

export const SECTIONS: readonly Section[] = [
  { path: '/fleet', keys: 'g f', id: 'fleet' },
  { path: '/workloads', keys: 'g w', id: 'workloads' },
  { path: '/failover', keys: 'g o', id: 'failover' },
  { path: '/queues', keys: 'g q', id: 'queues' },
  { path: '/rebalancers', keys: 'g r', id: 'rebalancers' },
  { path: '/clusters', keys: 'g c', id: 'clusters' },
  { path: '/spread', keys: 'g s', id: 'spread' },
  { path: '/activity', keys: 'g y', id: 'activity' },
  { path: '/control-plane', keys: 'g p', id: 'control-plane' },
]
