/** The pages of the console, in the order of the sidebar. */
export interface Section {
  path: string
  title: string
  /** The key sequence that goes there. */
  keys: string
  icon:
    'fleet' | 'workloads' | 'failover' | 'queues' | 'rebalancers' | 'clusters' | 'spread' | 'activity' | 'control-plane'
}

export const SECTIONS: readonly Section[] = [
  { path: '/fleet', title: 'Fleet', keys: 'g f', icon: 'fleet' },
  { path: '/workloads', title: 'Workloads', keys: 'g w', icon: 'workloads' },
  { path: '/failover', title: 'Failover', keys: 'g o', icon: 'failover' },
  { path: '/queues', title: 'Queues', keys: 'g q', icon: 'queues' },
  { path: '/rebalancers', title: 'Rebalancers', keys: 'g r', icon: 'rebalancers' },
  { path: '/clusters', title: 'Clusters', keys: 'g c', icon: 'clusters' },
  { path: '/spread', title: 'Spread', keys: 'g s', icon: 'spread' },
  { path: '/activity', title: 'Activity', keys: 'g y', icon: 'activity' },
  { path: '/control-plane', title: 'Control plane', keys: 'g p', icon: 'control-plane' },
]
