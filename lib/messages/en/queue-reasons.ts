/** Why a workload is pending, what a queue decided, and the state of a hold: in views, conditions and events of queues. */
export const queueReasons = {
  'queues.position': 'Position {position, number}',
  'queues.held.queue': 'Pending',
  'queues.held.hold': 'Queue on hold',
  'queues.held.suspended': 'Suspended',
  'queues.heldInFull': '{word}. {reason}',
  'queues.heldLink': '{word}, queue {queue}',

  'queues.resource.cpu': 'CPU',
  'queues.resource.memory': 'memory',
  'queues.resource.storage': 'storage',
  'queues.resource.ephemeral-storage': 'ephemeral storage',
  'queues.resource.replicas': 'replicas',
  'queues.amount.figure': '{count, number}',
  'queues.amount.of': '{amount} {resource}',
  'queues.amount.replicas': '{count, plural, one {# replica} other {# replicas}}',
  'queues.amount.usedOf': '{used} of {quota} {resource}',

  'queues.estimate.now': 'Now',
  'queues.estimate.between': 'Likely {from} to {to}',
  'queues.estimate.held': 'Not while on hold',
  'queues.estimate.suspended': 'Not while suspended',
  'queues.estimate.never': 'Not with this quota and capacity',
  'queues.estimate.unknown': 'Unknown',

  'queues.reason.Next': 'Being admitted now.',
  'queues.reason.NextBorrowing': 'Being admitted now; borrows {amounts} from other queues.',
  'queues.reason.Queued': 'Queued behind {ahead, plural, one {# workload} other {# workloads}}.',
  'queues.reason.BlockedByHead':
    'Blocked by {head}, the first workload of a strict-order queue; {ahead, plural, one {# workload is} other {# workloads are}} ahead.',
  'queues.reason.YieldsToHead':
    'Fits, but {head} was queued well before it: resources that become free are kept for {head}.',
  'queues.reason.YieldsToOtherQueue': 'Fits, but an older workload of another queue has priority for free {resource}.',
  'queues.reason.OverQuota':
    'Exceeds the queue’s quota by {over} (needs {needs}; {usage} used). Borrowing is disabled.',
  'queues.reason.OverBorrowingLimit':
    'Exceeds the queue’s quota by {over} (needs {needs}; {usage} used). The borrowing limit leaves {available}.',
  'queues.reason.NothingToBorrow':
    'Exceeds the queue’s quota by {over} (needs {needs}; {usage} used). Other queues can lend {available}.',
  'queues.reason.BeyondQuota':
    'Can’t be admitted: needs {needs}, more than the queue’s quota of {most} including borrowing. Reduce the request or raise the quota.',
  'queues.reason.QuotaLentOut':
    'Within the quota, but other queues have borrowed it: needs {needs}, {free} not lent. Admitted before any new borrower.',
  'queues.reason.NoCapacity': 'Needs {needs}; the clusters have {free} free.',
  'queues.reason.BeyondCapacity':
    'Can’t be scheduled: needs {needs}, more than the {most} of all clusters. Reduce the request or add clusters.',
  'queues.reason.MaxInFlight':
    'Limited by maxInFlight: {most, plural, one {# workload} other {# workloads}} admitted and not yet scheduled; {ahead, plural, =0 {next to be admitted} one {# workload is ahead} other {# workloads are ahead}}.',
  'queues.reason.Held':
    'On hold{by, select, none {} other { by {by}}} {until, select, none {until resumed} other {until {until}}}: {reason}',
  'queues.reason.Resuming':
    'The queue is resuming, {step, plural, one {# workload} other {# workloads}} at a time; {ahead, plural, =0 {next to be admitted} one {# workload is ahead} other {# workloads are ahead}}.',
  'queues.reason.QueueInvalid': 'The queue is invalid: {cause}',
  'queues.reason.QuotaNotFound':
    'FederatedResourceQuota {name}, the quota of this queue, does not exist. Create it or choose another one.',
  'queues.reason.pendingIn': 'Pending in queue {queue}.',
  'queues.reason.hiddenWorkload': 'a workload that you can’t view',
  'queues.reason.hiddenQueue': 'Pending in a queue that you don’t have permission to view.',

  'queues.invalid.Overlap':
    '{count, plural, one {Namespace {namespaces} already belongs} other {Namespaces {namespaces} already belong}} to queue {owners}. Remove it from spec.namespaces, or delete this queue.',
  'queues.invalid.OverlapHidden':
    '{count, plural, one {Namespace {namespaces} already belongs} other {Namespaces {namespaces} already belong}} to an older queue. Remove it from spec.namespaces, or delete this queue.',

  'queues.step.InOrder': 'Admitted: next in order, and it fits.',
  'queues.step.Borrows': 'Admitted: next in order; borrows {amounts} from other queues.',
  'queues.step.Requested': 'Admitted as requested by {who}.',
  'queues.step.Resumed': 'Scheduling resumed: the workload is already placed and no hold applies.',
  'queues.step.HandedOver':
    '{cause, select, deleted {The queue was deleted} deleting {The queue is being deleted} other {The queue no longer includes this namespace}}; scheduling stays suspended.',
  'queues.step.QueueGone':
    '{cause, select, deleted {The queue was deleted} deleting {The queue is being deleted} other {The queue no longer includes this namespace}}; pending workloads are admitted.',
  'queues.step.Held': 'Held: the queue is on hold and the workload is not placed yet.',
  'queues.step.HeldPlaced': 'Held: the hold of the queue includes placed workloads.',
  'queues.step.SlippedThrough': 'Created without admission; queued by the controller.',
  'queues.step.Undone':
    '{who, select, none {An unknown client} other {{who}}} resumed scheduling although the queue is on hold.',
  'queues.step.TimeOver': 'The hold ended at {until}, as set.',
  'queues.step.ResumeFinished': 'Resume finished: {count, plural, one {# workload} other {# workloads}} admitted.',
  'queues.step.Finalizer': 'The queue needs its finalizer, so that its pending workloads are not lost.',
  'queues.step.HoldWithoutStart': 'The hold has no start time.',
  'queues.step.QueueEmpty': 'No pending workloads are left.',

  'queues.hold.Requested':
    'Hold requested; {left, plural, one {# workload} other {# workloads}} not yet held, {held, number} held.',
  'queues.hold.Effective':
    '{held, plural, one {# workload} other {# workloads}} held{since, select, none {} other {, none scheduled since {since}}}.',
  'queues.hold.Leaking':
    '{leaks, plural, one {# workload} other {# workloads}} scheduled despite the hold, {held, number} held.',
  'queues.hold.Undone':
    '{who, select, none {An unknown client} other {{who}}} resumed scheduling of {count, plural, one {# workload} other {# workloads}} despite the hold{times, plural, one {} other {, # times so far}}; {free, plural, =0 {held again} one {# workload is not held} other {# workloads are not held}}.',
  'queues.hold.Resuming':
    'Resuming, {step, plural, one {# workload} other {# workloads}} at a time: {done, number} admitted, {left, number} left{waits, plural, =0 {} one {; the scheduler has not answered for # workload} other {; the scheduler has not answered for # workloads}}.',
  'queues.hold.resumeBlocked': '{progress} Next is {workload}: {reason}',
  'queues.hold.invalid': 'The hold has no effect, because the queue is invalid. {cause}',
  'queues.hold.notObserved':
    'Hold requested; the queue controller has not picked it up yet. {held, plural, one {# workload is} other {# workloads are}} held.',
  'queues.leak.neverPending':
    'Not held: created without admission at {created}{at, select, none {} other {, scheduled at {at}}}.',
  'queues.leak.whileHeld': 'Scheduled{at, select, none {} other { at {at}}}, although held since {since}.',

  'queues.condition.Valid': 'Admits workloads of {count, plural, one {# namespace} other {# namespaces}}.',
  'queues.condition.QuotaNotFound':
    'FederatedResourceQuota {name} does not exist in namespace {namespace}; no workload is admitted.',
  'queues.condition.AdmissionBypassed':
    '{count, plural, one {# pending workload was} other {# pending workloads were}} scheduled without admission: {names}. Remove spec.clusters from the binding, or admit the workload.',
  'queues.more': '{count, number} more',
  'queues.event.QueueMissing':
    'Pending in queue {queue}, which does not exist. Create that queue again, or set spec.suspension.scheduling to false.',

  'queues.state.deleting': 'Being deleted; {count, plural, one {# pending workload} other {# pending workloads}} left',
  'queues.state.unadmitted':
    '{count, plural, one {# pending workload} other {# pending workloads}} scheduled without admission',
  'queues.state.quotaNotFound': 'No workload is admitted: FederatedResourceQuota {name} does not exist',
  'queues.state.notObserved': 'The queue controller has not picked up this queue yet',
  'queues.state.beyondLimits':
    '{count, plural, one {# workload} other {# workloads}} can’t be admitted: the request exceeds the quota or all clusters',
  'queues.state.inFlight':
    '{inFlight, plural, one {# workload} other {# workloads}} admitted and not yet scheduled, {pending, number} pending',
  'queues.state.pending':
    '{count, plural, =0 {No pending workloads} one {# pending workload} other {# pending workloads}}',
} as const
