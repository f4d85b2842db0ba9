/** What the API and admission answer about queues and the workloads in them. */
export const queueActions = {
  'queues.done.held':
    'Hold requested{replaced, select, none {} other {, replacing the hold “{replaced}”}}. It is effective once admitted workloads that are not scheduled yet are suspended again.',
  'queues.done.resumed': 'The hold has ended. Pending workloads are admitted in order, as quota and capacity allow.',
  'queues.done.resuming':
    'Resuming: {step, plural, one {# workload is} other {# workloads are}} admitted at a time, the next ones when these are scheduled.',
  'queues.done.created': 'New workloads in {namespaces} are now queued. Workloads that are already placed stay.',
  'queues.done.updated': 'Queue updated. The order of its pending workloads is computed again.',
  'queues.done.deletedHold': 'The queue is being deleted. Its pending workloads stay suspended until each is resumed.',
  'queues.done.deletedRelease': 'The queue is being deleted, after its pending workloads are admitted in order.',
  'queues.done.released':
    'Admitted next, ahead of all other workloads, as soon as the quota allows.{held, select, yes { The queue stays on hold.} other {}}',
  'queues.done.prioritized': 'Priority class set to {class}. The order of the queue is computed again.',
  'queues.done.suspended': 'Scheduling suspended until it is resumed.',
  'queues.done.unsuspended': 'Scheduling resumed. The scheduler places the workload.',
  'queues.done.requeued': 'Pending in {queue}, which admits it in order.',
  'queues.itsQueue': 'its queue',
  'queues.named': 'queue {queue}',
  'queues.preview.hold':
    '{pending, plural, one {# pending workload stays} other {# pending workloads stay}} suspended, {inFlight, number} in flight {inFlight, plural, one {is} other {are}} suspended again. Including placed workloads stops scaling and failover of {placed, number} more.',

  'queues.refused.untilPast': 'until: must be in the future. Choose a later end, or none.',
  'queues.refused.notHeld': 'Queue {queue} is not on hold.',
  'queues.refused.deleting': 'The queue is already being deleted. Wait until the deletion is complete.',
  'queues.refused.sameClass': 'The workload already has priority class {class}.',
  'queues.refused.scheduled':
    'The workload is already scheduled; suspending it would stop its scaling and failover. Hold its queue including placed workloads, or scale it to zero.',
  'queues.refused.notSuspended': 'Scheduling is not suspended.',
  'queues.refused.pending': 'The workload is pending in {queue}. Admit it from the queue, or resume the queue.',
  'queues.refused.notPending': 'The workload is no longer pending: it has already been admitted.',
  'queues.refused.byUser': 'A user suspended this workload. Resume its scheduling first; it is then queued again.',
  'queues.refused.requestedTwice':
    '{who} already requested this{at, select, none {} other { at {at}}}. The workload is admitted as soon as the quota allows.',
  'queues.refused.unknownClass':
    'priorityClass: the queue has no class {class}. {known, plural, =0 {Add it to spec.priorityClasses of the queue first.} other {Choose one of {classes}.}}',
  'queues.refused.noWorkload': 'workload: no workload {workload} in this queue, or you can’t view it.',

  'queues.bypass.refused':
    '{field}: {effect}, and {user} cannot update queue {queue}. Wait until the queue admits the workload, or ask its owner',
  'queues.bypass.refusedHeld':
    '{field}: queue {queue} is on hold{by, select, none {} other { by {by}}}{until, select, none {} other { until {until}}} ({reason}), and {user} cannot update it. Ask {by, select, none {its owner} other {{by}}} to resume it',
  'queues.bypass.order': 'the annotation changes the order of the queue',
  'queues.bypass.unqueued': 'the binding would not be queued',
  'queues.bypass.otherWorkload': 'the binding would belong to another workload',
  'queues.bypass.outOfOrder': 'the workload would be admitted out of order',
  'queues.bypass.freedBy': 'the annotation records who resumed scheduling',
  'queues.bypass.request': 'the request would differ from the workload and its policy',
  'queues.bypass.placed': 'the workload would be scheduled while it is pending',

  'queues.invalid.untilPast': 'must be in the future; it is now {now}. Omit it to hold the queue until it is resumed',
  'queues.invalid.quantity': 'must be a quantity such as 500m, 16 or 64Gi',
  'queues.invalid.negative': 'must not be negative',
  'queues.invalid.secondDefault': 'only one class can be the default, and "{name}" already is',
  'queues.invalid.namespaceTaken':
    '{owner, select, none {another queue} other {queue {owner}}} already includes this namespace, and a namespace belongs to one queue. Remove it there first',
  'queues.invalid.guarded': '{user} cannot create queues in namespace "{namespace}", which this change requires',

  'queues.api.list': 'List queues',
  'queues.api.listNamespace': 'Only queues in this namespace.',
  'queues.api.get': 'Get a queue with its pending workloads and their reasons',
  'queues.api.getDescription': 'The ETag is `g` and the generation: it changes with the spec, and not with the status.',
  'queues.api.holdPreview': 'Preview a hold',
  'queues.api.resumePreview': 'Preview a resume: the order and the stages of admission',
  'queues.api.updateDescription': 'Keeps the hold. Answers 412 if the queue changed since If-Match.',
  'queues.api.deleteDescription': 'Depending on `onDelete`, pending workloads are admitted first or stay suspended.',
  'queues.api.amount': 'In base units: milli-CPU, bytes, counts.',
  'queues.api.holdModel': 'The hold of a queue and its state.',
  'queues.api.holdPreviewModel':
    'Workloads that stay suspended, that are suspended again, and that are suspended only with includePlaced.',
  'queues.api.doneMessage': 'What happens next.',
  'queues.api.workloadId': 'The ID of the workload.',
  'queues.api.order': 'Omitted fields have the defaults of the API.',
} as const
