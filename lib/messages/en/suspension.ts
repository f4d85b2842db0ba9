/** Suspension of the scheduling of one workload: by a user, a controller or a policy. */
export const suspension = {
  'suspension.byPolicy':
    'Scheduling is suspended by {policy}. Remove spec.suspension.scheduling from the policy to resume it.',
  'suspension.byUser':
    'Scheduling is suspended{who, select, none {} other { by {who}}}{at, select, none {} other { since {at}}}{reason, select, none {} other { ({reason})}} until it is resumed.',
  'suspension.queueMissing': 'Suspended by queue {queue}, which no longer exists. Resume scheduling of the workload.',
  'suspension.ofPlaced': '{reason} Running replicas stay; scaling and failover are stopped.',

  'suspension.notice': 'Scheduling suspended',
  'suspension.clusterScoped': '{kind} is cluster-scoped; suspend its ClusterResourceBinding with kubectl.',
  'suspension.queueDecides': 'Queue {queue} decides when this workload is scheduled.',
  'suspension.alreadyScheduled':
    'The workload is already scheduled, and the control plane refuses to suspend it: scaling and failover would stop.',
  'suspension.openQueue': 'Open queue',
  'suspension.suspend.command': 'Suspend scheduling of this workload…',
  'suspension.suspend.open': 'Suspend scheduling…',
  'suspension.suspend.title': 'Suspend scheduling of {name}',
  'suspension.suspend.verb': 'Suspend scheduling',
  'suspension.suspend.done': 'Suspend scheduling',
  'suspension.suspend.effect':
    'The scheduler ignores this workload until it is resumed. It has no replicas yet, so none stop.',
  'suspension.suspend.race':
    'If the scheduler places it first, the control plane refuses: scheduled workloads can’t be suspended.',
  'suspension.suspend.reasonHint': 'Visible to all users who can view this workload.',
  'suspension.resume.command': 'Resume scheduling of this workload…',
  'suspension.resume.open': 'Resume scheduling…',
  'suspension.resume.title': 'Resume scheduling of {name}',
  'suspension.resume.verb': 'Resume scheduling',
  'suspension.resume.done': 'Resume scheduling',
  'suspension.resume.effect':
    'The scheduler places it as soon as possible. Once scheduled, it can’t be suspended again.',
  'suspension.resume.requeued':
    'It is queued in {queue}, which admits it in order. Once scheduled, it can’t be suspended again.',

  'suspension.condition.Suspended':
    'Scheduling has been suspended{by, select, none {} other { by {by}}} since {since}{why, select, none {.} other {: {why}}}',
  'suspension.condition.SuspendedByPolicy':
    'Scheduling has been suspended by {by} since {since}. Remove spec.suspension.scheduling from the policy to resume it.',
  'suspension.condition.SuspendedByQueue':
    'Scheduling has been suspended by queue {queue} since {since}. The queue admits the workload in order.',
  'suspension.condition.HeldByQueue':
    'Scheduling has been suspended by the hold of queue {queue} since {since}. Scaling and failover of the workload are suspended too.',
  'suspension.condition.Resumed': 'Scheduling was resumed at {at}.',
  'suspension.event.tooLate':
    '{policy} suspends scheduling, but this resource is already scheduled and stays in its clusters. Set spec.suspension.dispatching to stop dispatching to clusters.',
} as const
