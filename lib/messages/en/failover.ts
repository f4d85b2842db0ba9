/** Failovers of workloads, incidents of clusters, and what blocks them. */
export const failover = {
  // What blocks a failover.
  'failover.blocker.beingDeleted': 'The binding is being deleted, together with its replicas.',
  'failover.blocker.nothingFailed':
    'Nothing to do: the workload is healthy in every cluster, and no cluster evicts it.',
  'failover.blocker.noStatus': 'No cluster has reported a status of the workload yet.',
  'failover.blocker.healthUnknown': 'Health is unknown in {clusters}. Failures do not count until it is known.',
  'failover.blocker.clustersUnseen':
    'You don’t have permission to list clusters, so evictions by clusters are not shown.',
  'failover.blocker.noFailoverRule':
    'The workload is unhealthy in {cluster}, but its policy does not set failover.application.',
  'failover.blocker.dependenciesStay':
    'The policy sets failover.application without propagateDeps, so dependencies would not move along.',
  'failover.blocker.noHealthRule':
    'No health rule exists for {kind} ({apiVersion}). Add a ResourceInterpreterCustomization with healthInterpretation.',
  'failover.blocker.paused': 'Scheduling is suspended: an evicted workload would not be placed again.',
  'failover.blocker.pausedUnplaced': 'Scheduling is suspended, and the workload is not scheduled to any cluster.',
  'failover.blocker.tooEarly': 'Failures in {cluster} do not count until preConditions.delaySeconds has passed.',
  'failover.blocker.neverHealthy':
    'The workload was never healthy in {cluster}, which preConditions.healthyState requires.',
  'failover.blocker.evictionDisabled': 'Automatic eviction is disabled on this control plane.',
  'failover.blocker.evictionOverdue':
    'Eviction from {cluster} has been due for more than {span}, but has not begun. Automatic eviction (--enable-no-execute-taint-eviction) is probably disabled on this control plane, or other workloads are evicted first.',
  'failover.blocker.taintOnlyBlocksScheduling':
    'Cluster {cluster} is not ready, but has no NoExecute taint. Only NoExecute taints evict workloads.',
  'failover.blocker.taintTolerated': 'The placement tolerates the NoExecute taints of cluster {cluster} indefinitely.',
  'failover.blocker.placementUnreadable': 'The applied placement cannot be read, so its tolerations are unknown.',
  'failover.blocker.waitingForTaint':
    'Cluster {cluster} is not ready. Unless it recovers in time, it is tainted and its workloads are evicted.',
  'failover.blocker.evictionRateLimited':
    'Waiting for the eviction rate limit of cluster {cluster}. The limit is lower while many clusters are not ready.',
  'failover.blocker.evictionDue':
    'Eviction from {cluster} is due. It begins, one workload after the other, if automatic eviction (--enable-no-execute-taint-eviction) is enabled on this control plane.',
  'failover.blocker.toleratesTaintMaybe':
    'The taints of cluster {cluster} are tolerated for now. The workload is then evicted (purge mode {purgeMode}) if automatic eviction (--enable-no-execute-taint-eviction) is enabled on this control plane.',
  'failover.blocker.toleratesTaint':
    'The taints of cluster {cluster} are tolerated for now. The workload is then evicted (purge mode {purgeMode}).',
  'failover.blocker.toleratesFailure':
    'The failure in cluster {cluster} is tolerated for now. The workload is then evicted (purge mode {purgeMode}).',
  'failover.blocker.noClusterFits': 'No cluster fits: {failure}',
  'failover.blocker.noClusterAfterEviction':
    'If evicted from cluster {cluster}, no other cluster could take the workload: {failure}',
  'failover.blocker.blockedUntil': 'Cluster {cluster} is excluded until {until}, because the workload failed there.',
  'failover.blocker.blockedPermanently':
    'Cluster {cluster} is excluded until activeEvictionHistory is cleared, because the workload failed there.',
  'failover.blocker.keptByPlan':
    'The old replicas in {cluster} are kept until the new replicas of the RebalancePlan are ready.',
  'failover.blocker.keptByHand':
    'The old replicas in {cluster} are kept until suppressDeletion of the eviction task is set to false.',
  'failover.blocker.replaced': 'The new replicas are healthy. The old replicas in {cluster} are removed next.',
  'failover.blocker.notScheduledYet':
    'The old replicas in {cluster} stay: the workload is not scheduled to another cluster yet.',
  'failover.blocker.noSuccessor': 'The old replicas in {cluster} stay: no cluster can take the workload ({failure}).',
  'failover.blocker.notObserved':
    'The old replicas in {cluster} stay: the scheduler has not picked up the latest change yet.',
  'failover.blocker.notHealthyYet':
    'The old replicas in {cluster} stay: the new replicas in {missing} are not healthy yet.',
  'failover.noSuccessor': 'No cluster can take the workload: {failure}',

  // How far a failover of a workload is.
  'failover.state.notCounted': 'Unhealthy in {cluster}, not counted as a failure',
  'failover.state.notCountedYet': 'Unhealthy in {cluster}, not counted as a failure yet',
  'failover.state.toleratesFailure': 'Tolerating the failure in {cluster}',
  'failover.state.toleratesTaint': 'Tolerating the taints of {cluster}',
  'failover.state.noCluster': 'No cluster has taken the workload yet',
  'failover.state.notHealthyYet': '{replicas, plural, =0 {} other {# }}→ {places}; waiting for {missing}',
  'failover.state.notObserved': '{replicas, plural, =0 {} other {# }}→ {places}; healthy, waiting for the scheduler',
  'failover.state.replaced': 'The new replicas are healthy; the old replicas are removed next',
  'failover.state.kept': 'The old replicas are kept until an operator releases them',
  'failover.state.keptUnplaced': 'The old replicas are kept, and no cluster has taken the workload',
  'failover.state.done': 'Completed',
  'failover.state.excluded': '{state}; {cluster} is excluded until activeEvictionHistory is cleared',

  // How far an incident of a cluster is. The progress comes first: a narrow column may cut the rest.
  'failover.incident.unaffected': 'No workload affected. {state}',
  'failover.incident.affected':
    '{workloads, plural, =0 {No workload left to move} one {# workload affected} other {# workloads affected}}. {state}',
  'failover.incident.recovered':
    '{recovered} of {workloads, plural, one {# workload} other {# workloads}} recovered. {state}',
  'failover.incident.recovering':
    '{recovered} of {workloads, plural, one {# workload} other {# workloads}} recovered, about {left} left. {state}',

  // How a failover or an incident ended.
  'failover.ended.unplaced': 'Old replicas were removed, and no cluster took the workload',
  'failover.ended.released': 'Released by an operator',
  'failover.ended.directly': 'Old replicas were removed immediately',
  'failover.ended.replaced': 'New replicas became healthy, old replicas were removed',
  'failover.ended.graceOver': 'The grace period ended before the new replicas were healthy',
  'failover.ended.removed': 'Old replicas were removed',
  'failover.ended.ready': 'Ready again',
  'failover.ended.unjoined': 'Unjoined from the control plane',
  'failover.ended.withEvictions':
    '{end}; {workloads, plural, =0 {no workload was evicted} one {# workload was evicted} other {# workloads were evicted}}',

  // Events.
  'failover.event.blocked': 'Application failover is blocked: {why}',
  'failover.event.stateNotPreserved': 'State is not preserved: {why}.',
  'failover.event.graceExtended':
    'The grace period of the old replicas in cluster {cluster} was extended: the workload is not scheduled to any other cluster.',
  'failover.event.kept':
    'The old replicas in cluster {cluster} are kept until suppressDeletion of the eviction task is set to false.',

  // What an action would do.
  'failover.refused.noWorkload': 'Workload not found. It may have been deleted.',
  'failover.refused.noCluster': 'Cluster {cluster} not found. Choose another cluster.',
  'failover.plan.notScheduled': 'Nothing to evict: the workload is not scheduled to {cluster}.',
  'failover.plan.notEvicting': 'The workload is no longer being evicted from {cluster}.',
  'failover.plan.alreadyKept': 'The old replicas in {cluster} are already kept.',
  'failover.plan.notKept': 'The old replicas in {cluster} are not kept.',
  'failover.plan.alreadyDrained': 'Cluster {cluster} is already drained.',
  'failover.plan.notDrained': 'Cluster {cluster} is not drained.',
  'failover.plan.evict': 'The workload is evicted from {cluster}.',
  'failover.plan.purge.Directly': 'The old replicas in {cluster} are deleted immediately.',
  'failover.plan.purge.Gracefully':
    'The old replicas in {cluster} stay until the new replicas are healthy or the grace period ends.',
  'failover.plan.purge.Never': 'The old replicas in {cluster} stay until an operator releases them.',
  'failover.plan.notReplaced': 'No replacement is scheduled for now.',
  'failover.plan.placed': 'New distribution: {places}.',
  'failover.plan.suspended': 'Scheduling is suspended: the workload is not placed again before it is resumed.',
  'failover.plan.noCluster': 'No cluster fits: {failure}',
  'failover.plan.directly': 'The old replicas are deleted before the new ones are ready.',
  'failover.plan.notReady': 'Cluster {cluster} is not ready: its old replicas are deleted after it recovers.',
  'failover.plan.keep':
    'The old replicas in {cluster} stay until an operator releases them, even when the new replicas are healthy.',
  'failover.plan.lastReplicas': 'The workload is not scheduled to any other cluster: this deletes its only replicas.',
  'failover.plan.undrain': 'Cluster {cluster} accepts workloads again.',
  'failover.plan.undrainStays': 'Evicted workloads stay where they are until they are rebalanced.',
  'failover.plan.otherTaints': 'The cluster keeps {taints, plural, one {# other taint} other {# other taints}}.',
  'failover.plan.drain': 'Cluster {cluster} accepts no new workloads.',
  'failover.plan.drainEmpty': 'There are no workloads to evict.',
  'failover.plan.drainEmptyInView': 'There are no workloads to evict among those you can view.',
  'failover.plan.drainMoves': '{workloads, plural, one {# workload moves} other {# workloads move}} to other clusters.',
  'failover.plan.drainStays':
    '{workloads, plural, one {# workload tolerates the taint and stays} other {# workloads tolerate the taint and stay}}.',
  'failover.plan.drainShrinks':
    '{workloads, plural, one {# workload runs} other {# workloads run}} with fewer replicas.',
  'failover.plan.drainStuck':
    '{workloads, plural, one {# workload is left} other {# workloads are left}} without a cluster.',
  'failover.plan.drainSuspended':
    '{workloads, plural, one {# workload is} other {# workloads are}} suspended: replicas there are not replaced.',
  'failover.plan.drainNoRoom': 'Cluster {cluster} has no room for all workloads that would move there.',
  'failover.plan.drainNoEviction': 'Taint-based eviction is disabled: workloads stay until it is enabled.',
  'failover.plan.drainMaybe':
    'Workloads move only if automatic eviction (--enable-no-execute-taint-eviction) is enabled on this control plane, which it does not tell.',
  'failover.plan.partial': 'Only workloads that you can view are counted. Others may be evicted too.',
  'failover.loss.onlyReplicas': 'Its only replicas are deleted.',
  'failover.loss.noCluster': 'No cluster can take it: {failure}',
  'failover.loss.suspended': 'No cluster can take it: scheduling is suspended.',
  'failover.loss.tooEarly': 'The old replicas are deleted before the new ones are ready.',

  // Summaries of actions in the activity log.
  'failover.action.evict': 'Evict from {cluster}',
  'failover.action.keep': 'Keep old replicas in {cluster}',
  'failover.action.release': 'Release old replicas in {cluster}',
  'failover.action.drain': 'Drain {cluster}',
  'failover.action.undrain': 'Undrain {cluster}',

  // The Failover page.
  'failover.cluster': 'cluster',
  'failover.timeline': 'Timeline',
  'failover.blockedBy': 'Blocked by',
  'failover.nothingBlocked': 'Nothing is blocked in this cluster.',
  'failover.moreWorkloads': '{n} more',

  // Actions and their previews.
  'failover.planRenewed': 'The object has changed since this preview. Review the updated preview and confirm again.',

  // The banner above every page.
  'failover.banner.running': 'Failover in progress.',
  'failover.banner.notReady': '{clusters} not ready',
  'failover.banner.tolerating': '{n, plural, one {# workload} other {# workloads}} tolerating',
  'failover.banner.evicting': '{n, plural, one {# workload} other {# workloads}} evicting',
  'failover.banner.replaced': '{n, plural, one {# workload} other {# workloads}} replaced',
  'failover.banner.kept': '{n, plural, one {# failover} other {# failovers}} kept by operator',
  'failover.banner.since': 'Started <time></time>.',
  'failover.banner.link': 'View failovers',
} as const
