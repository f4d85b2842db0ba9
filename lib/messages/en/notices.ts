/** Notices about incidents, in browsers and to receivers. Loaded after the page. */
export const notices = {
  'notices.cluster.began': 'Cluster {cluster} is not ready: {state}',
  'notices.cluster.blocked':
    '{n, plural, one {# workload of cluster {cluster} does not fail over} other {# workloads of cluster {cluster} do not fail over}}',
  'notices.cluster.ended': 'Cluster {cluster} is ready again',
  'notices.failover.began': 'Workloads leave cluster {cluster}: {state}',
  'notices.drain.began': 'Cluster {cluster} is being drained: {state}',
  'notices.failover.ended': 'No workload leaves cluster {cluster} any more',
  'notices.application.began': '{workload} fails in cluster {cluster}: {state}',
  'notices.workload.began': '{workload} leaves cluster {cluster}: {state}',
  'notices.workload.blocked': 'The failover of {workload} from cluster {cluster} is blocked: {reason}',
  'notices.workload.ended': 'The incident of {workload} in cluster {cluster} has ended',
  'notices.plan.held': 'Rebalance plan {plan} is held: {state}',
  'notices.plan.holdEnded': 'Rebalance plan {plan} is no longer held',
} as const
