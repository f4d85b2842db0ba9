/** Reasons of rebalance decisions, WorkloadRebalancers, failback and what-if. */
export const rebalance = {
  'rebalance.byState': 'Plans and rebalancers by state',
  'rebalance.places.none': 'no cluster',
  'rebalance.places.list': '{places}',
  'rebalance.places.one': '{replicas, plural, =0 {{cluster}} other {# in {cluster}}}',

  'rebalance.stays.NeverScheduled': 'Not scheduled yet. The scheduler places it as soon as a cluster fits.',
  'rebalance.stays.NoReplicas': 'The workload has no replicas, so there is nothing to distribute.',
  'rebalance.stays.NotDivided':
    'Each of its clusters runs all replicas, and the set of clusters that fit is unchanged.',
  'rebalance.stays.StaticWeight': 'Static weights give the same distribution. Free capacity has no effect on them.',
  'rebalance.stays.AlreadyBest': 'The scheduler would give the same distribution.',

  'rebalance.refused.BindingNotFound':
    'No ResourceBinding exists: the workload does not exist, or no policy propagates it.',
  'rebalance.refused.Deleting': 'The workload is being deleted.',
  'rebalance.refused.NoPlacement': 'The binding has no placement, so the scheduler ignores it.',
  'rebalance.refused.Suspended': 'Scheduling is suspended. A rebalance takes effect only after it is resumed.',
  'rebalance.refused.DispatchingSuspended':
    'Dispatching is suspended. Member clusters would not apply a new distribution.',
  'rebalance.refused.UnschedulableError': 'The clusters that fit have too little free capacity ({cause}).',
  'rebalance.refused.Error': 'The placement cannot be satisfied ({cause}).',
  'rebalance.refused.FitError': 'No cluster fits ({cause}). The running replicas are kept.',
  'rebalance.refused.RemovedEverywhere':
    'No cluster fits ({cause}). A rebalance would remove the workload from all clusters.',
  'rebalance.refused.FewerReplicas':
    'The scheduler would place {now, plural, one {# replica} other {# replicas}} instead of {before, number}.',
  'rebalance.refused.FewerClusters':
    'The scheduler would use {now, plural, one {# cluster} other {# clusters}} instead of {before, number}.',
  'rebalance.refused.BudgetTooTight':
    'Only {expected, plural, one {# replica} other {# replicas}} would stay ready during the move. The plan requires {floor, number}.',
  'rebalance.refused.SchedulerDecides': 'Its replicas are not divided, so the scheduler alone selects its clusters.',
  'rebalance.refused.ReplicasChanged': 'The number of replicas changed from {was, number} to {now, number}.',
  'rebalance.refused.ClusterGone':
    'It cannot return to {clusters}: the cluster is missing, being deleted, or has a NoExecute taint.',
  'rebalance.refused.ClusterExcluded': 'It cannot return to {clusters}: the policy no longer allows it.',
  'rebalance.refused.notVisible': 'You need permission to list clusters to view the reason.',
  'rebalance.note.OthersMove':
    'Uncertain: it depends on the free capacity that other workloads leave. The scheduler may also choose {places}.',
  'rebalance.note.MayNotFit': 'Uncertain: after other workloads have moved, it may no longer fit.',
  'rebalance.note.AsksEstimators':
    'Uncertain: the scheduler also asks the estimators in the member clusters, whose answers are unknown here.',
  'rebalance.note.LazyPolicyDiffers':
    'Its policy is lazy and specifies another placement. A rebalance uses the placement of the binding.',

  'rebalance.moves.Moves': '{changes}.',
  'rebalance.moves.because': '{changes}: {rule}.',
  'rebalance.moves.gains': '{cluster} gains {n, plural, one {# replica} other {# replicas}}',
  'rebalance.moves.loses': '{cluster} loses {n, plural, one {# replica} other {# replicas}}',
  'rebalance.moves.joins': '{cluster} is added',
  'rebalance.moves.leaves': '{cluster} is removed',
  'rebalance.rule.Duplicated': 'every cluster that fits runs all replicas',
  'rebalance.rule.StaticWeight': 'replicas follow the static weights',
  'rebalance.rule.DynamicWeight': 'replicas follow the free capacity',
  'rebalance.rule.Aggregated': 'replicas are packed into as few clusters as possible',
  'rebalance.rule.firstGroup': 'it returns to its first affinity group {group}',
  'rebalance.rule.nextGroup': '{group} is the first affinity group that fits',
  'rebalance.rule.nextGroupAfter': '{group} is the first affinity group that fits ({causes})',
  'rebalance.rule.deleting': '{cluster} is being deleted',
  'rebalance.rule.rejections': '{rejections}',
  'rebalance.rule.spreadConstraints': 'its spread constraints select other clusters',

  'rebalance.difference.removed': '{workload} is no longer selected',
  'rebalance.difference.added': '{workload} is new: {before} → {after}',
  'rebalance.difference.before': '{workload} now has {now}, not {was}',
  'rebalance.difference.after': '{workload} would have {now}, not {was}',
  'rebalance.difference.base': 'the approved preview {base} is not the present preview of this plan',

  'rebalance.loss.deleted': '{reason} Its replicas are deleted.',
  'rebalance.loss.kept': '{reason} Its replicas stay in {cluster} until another cluster can run them.',
  'rebalance.loss.deletedEarly': 'Its policy deletes the replicas before the new ones are ready.',

  'rebalance.whatIf.Tolerates': 'Its placement tolerates the taint indefinitely.',
  'rebalance.whatIf.Suspended': 'Scheduling is suspended, so the lost replicas are not replaced.',
  'rebalance.whatIf.Moves': 'All its replicas are rescheduled to other clusters.',
  'rebalance.whatIf.RunsElsewhere': 'Keeps running in {clusters}.',
  'rebalance.whatIf.NoRoom': 'The lost replicas cannot be rescheduled ({cause}).',
  'rebalance.whatIf.Nowhere': 'No replica remains ({cause}).',
  'rebalance.whatIf.noCluster': 'no cluster is left',

  'rebalance.cluster.noHealth': '{cluster} reports no health',
  'rebalance.cluster.unhealthy': '{cluster} reports {health}',
  'rebalance.cluster.notReported': '{cluster} has not reported',
  'rebalance.cluster.notReady':
    '{cluster} has {ready, number} of {replicas, plural, one {# replica} other {# replicas}} ready',
  'rebalance.cluster.applyFailed': '{cluster} ({message})',

  'rebalance.progress.BindingGone': 'The binding no longer exists.',
  'rebalance.progress.NotObserved': 'The controller has not processed it yet.',
  'rebalance.progress.NotTriggered': 'The controller has not triggered it yet.',
  'rebalance.progress.Failed': 'The controller could not trigger it.',
  'rebalance.progress.Suspended': 'Scheduling is suspended.',
  'rebalance.progress.NotScheduled': 'The scheduler has not scheduled it since the trigger.',
  'rebalance.progress.NotObservedByScheduler': 'The scheduler has not processed the latest change.',
  'rebalance.progress.ApplyFailed': '{cluster}: {message}',
  'rebalance.progress.NotReported': 'No status reported by {clusters}.',
  'rebalance.progress.OldReplicas': 'Old replicas are still in {clusters}.',
  'rebalance.progress.NotFullyApplied': 'Not applied in every cluster.',
  'rebalance.progress.NotHealthy': '{problems}.',
  'rebalance.progress.TriggerIgnored':
    'The scheduler ignored the trigger, because it scheduled the workload in the same second ({scheduled}). Trigger it again.',
  'rebalance.progress.TriggerTooEarly':
    'The scheduler ignored the trigger, because it is earlier than the last scheduling ({scheduled}). Trigger it again.',
  'rebalance.progress.FailedLater': 'Placed by this rebalance. A later scheduling failed: {cause}',
  'rebalance.progress.superseded': 'Superseded by a later rebalance',
  'rebalance.progress.healthyIn': 'Healthy: {places}',
  'rebalance.progress.unchanged': 'Healthy; no replica had to move',
  'rebalance.progress.moved': 'Healthy; {n, plural, one {# replica} other {# replicas}} moved',
  'rebalance.progress.movedForBoth':
    'Healthy; {n, plural, one {# replica} other {# replicas}} moved for this and {other}, which was created in the same second',

  'rebalance.event.TooManyWorkloads':
    'Nothing was rescheduled: the results of {n, number} workloads do not fit into one object. Create several rebalancers with fewer workloads each.',
  'rebalance.event.RescheduleHeld':
    'Scheduling of {binding} is suspended. It is rescheduled when scheduling is resumed.',
  'rebalance.run.ofWorkload': '{workload}: {reason}',
  'rebalance.run.TakenOver': 'Another plan or client changed its placement during the move.',
  'rebalance.run.ReadyBelowBudget':
    '{known, select, yes {Only} other {At most}} {ready, plural, one {# replica is} other {# replicas are}} ready. The plan requires {floor, number}.',
  'rebalance.run.ReadyUnknown':
    '{ready, plural, one {# replica is} other {# replicas are}} reported ready, of at least {floor, number}. Unknown, because there is no report: {clusters}.',
  'rebalance.run.ReadyUnknownTooLong':
    'Not known for {limit} whether {floor, plural, one {# replica is} other {# replicas are}} ready, as the plan requires. No report: {clusters}.',
  'rebalance.run.Releasing': 'The new replicas are ready. The old ones are being deleted.',
  'rebalance.run.AllReady': 'All replicas are ready.',
  'rebalance.run.Done':
    '{before} → {after}{missed, plural, =0 {} one {; # replica in another cluster than predicted} other {; # replicas in another cluster than predicted}}',
  'rebalance.run.NotObserved': 'The scheduler has not processed the restored distribution yet.',
  'rebalance.run.Suspended': 'Scheduling was suspended. The workload moves when it is resumed.',
  'rebalance.run.NotScheduled': 'The scheduler has not processed the request yet (generation {generation}).',
  'rebalance.run.NotHealthyInTime': 'Not healthy within {limit}. {reason}',
  'rebalance.run.NeverScheduled': 'Triggered, but not scheduled within {limit}. {reason}',
  'rebalance.run.Withdrawn':
    'The scheduler did not act on the request. It was withdrawn, and the workload stays where it was.',
  'rebalance.run.Recalled':
    'The scheduler did not act in time. The request was removed; old replicas stay protected until the scheduler has noticed.',
  'rebalance.run.NotApplied': 'Not applied yet in {clusters}.',
  'rebalance.run.NotReady': '{problems}.',
  'rebalance.run.BudgetNotMet':
    'Only {n, plural, one {# replica} other {# replicas}} would stay ready. The plan requires {floor, number}.',
  'rebalance.run.OldReplicas': 'Old replicas are still in {clusters}.',
  'rebalance.run.BeingRebalanced': 'Plan {plan} still protects its old replicas.',
  'rebalance.run.PlacementChanged': 'It now has {now}, not {was}.',
  'rebalance.run.Stopped': 'The plan was stopped before this workload moved.',
  'rebalance.run.protection': 'kept until the new replicas are ready',

  'rebalance.plan.computing': 'Computing the preview.',
  'rebalance.plan.AwaitingApproval':
    '{moving, number} of {total, plural, one {# workload} other {# workloads}} would move. Set spec.base to {base} to approve this plan.',
  'rebalance.plan.awaiting':
    '{moving, number} of {total, plural, one {# workload} other {# workloads}} would move after you approve the plan.',
  'rebalance.plan.nothingMoves':
    '{total, plural, =0 {The plan selects no workload.} one {The workload would not move.} other {None of # workloads would move.}}',
  'rebalance.plan.PreviewOutdated':
    'The approved preview is outdated: {n, plural, one {# difference} other {# differences}}. Set spec.base to {base} to approve the new preview.',
  'rebalance.plan.Approved': '{moving, number} of {total, plural, one {# workload} other {# workloads}} will move.',
  'rebalance.plan.WaveRunning': 'Wave {wave} is in progress.',
  'rebalance.plan.WaitingForWave':
    '{wave, plural, =0 {The first wave has not started yet.} other {Wave # is finished, the next one has not started yet.}}',
  'rebalance.plan.WriteFailed':
    '{n, plural, one {# binding} other {# bindings}} could not be written, which is tried again: {cause}',
  'rebalance.plan.Held': '{reason} Set spec.acknowledgedHolds to {holds} to continue.',
  'rebalance.plan.Paused': 'No further wave starts while spec.paused is set.',
  'rebalance.plan.Stopping': 'The current wave finishes, then the plan stops.',
  'rebalance.plan.Stopped': 'Stopped. An undo restores the previous clusters.',
  'rebalance.plan.stoppedBeforeStart': 'Stopped before any workload moved.',
  'rebalance.plan.stopReason': 'Stopped by spec.stopped.',
  'rebalance.plan.CompletedWithFailures': '{n, plural, one {# workload} other {# workloads}} failed.',
  'rebalance.plan.failedWith': '{n, plural, one {# workload} other {# workloads}} failed: {reason}',
  'rebalance.plan.Completed': '{done, plural, one {# workload} other {# workloads}} moved.',
  'rebalance.plan.completedPartly':
    '{done, number} of {total, plural, one {# workload} other {# workloads}} moved; skipped: {skipped}.',
  'rebalance.plan.skipped':
    '{n, number} {reason, select, AlreadyBest {already balanced} StaticWeight {unchanged by static weights} NotDivided {not divided} NoReplicas {without replicas} NeverScheduled {not scheduled yet} Suspended {with scheduling suspended} DispatchingSuspended {with dispatching suspended} Deleting {being deleted} BindingNotFound {without a ResourceBinding} NoPlacement {without a placement} other {{reason}}}',
  'rebalance.plan.NotFinished': 'The plan has not finished.',
  'rebalance.event.WaveStarted': 'Wave {wave}: {n, plural, one {# workload} other {# workloads}}.',
  'rebalance.event.ProtectionLost':
    'The protection of {n, plural, one {# workload} other {# workloads}} was removed by another client; it is added again.',
  'rebalance.event.finished': '{progress} done.',

  'rebalance.invalid.Contradiction': 'Set either workloads and selection, or undoOf, or restore; given are {fields}.',
  'rebalance.invalid.PlanNotFound': 'Plan {plan} does not exist or has not moved any workload.',
  'rebalance.invalid.NothingSelected': 'Set spec.workloads or spec.selection.',
  'rebalance.invalid.BadSelector': 'spec.selection.labelSelector is invalid: {error}',
  'rebalance.invalid.BadAmount':
    'spec.{field} is {value}; it must be an integer of 0 or more, or a percentage such as "25%".',
  'rebalance.invalid.restoredTwice': 'spec.restore lists {workload} twice.',
  'rebalance.invalid.clusterTwice': 'spec.restore lists {cluster} twice for {workload}.',
  'rebalance.invalid.negativeReplicas': 'spec.restore has negative replicas for {workload} in {cluster}.',
  'rebalance.invalid.TooManyWorkloads':
    'The plan selects {n, number} workloads, more than its status can hold (at most {most, number}, fewer if each runs in many clusters). Select fewer workloads per plan.',

  'rebalance.rollout.waves': 'Waves of {n, plural, one {# workload} other {# workloads}}.',
  'rebalance.rollout.wavesShare': 'Waves of {share} of the workloads that move.',
  'rebalance.rollout.mostReplicas': 'At most {most} of the replicas move at the same time.',
  'rebalance.rollout.pause': 'Pause of {span} between waves.',
  'rebalance.rollout.makeBeforeBreak': 'Old replicas are kept until the new ones are ready.',
  'rebalance.rollout.breakBeforeMake': 'Old replicas are deleted at once.',
  'rebalance.rollout.minReady':
    'At least {minReady} of the replicas of each workload stay ready, or as many as were ready before.',
  'rebalance.rollout.hold': 'The first regression holds the plan.',
  'rebalance.rollout.continue': 'The plan continues after a regression.',
  'rebalance.rollout.allowFewerReplicas': 'Workloads may lose replicas, or all clusters.',

  'rebalance.failback.healthy':
    '<link>{cluster}</link> is healthy again. {left, plural, one {# workload} other {# workloads}} ran there before; {returning, number} would return now.',
  'rebalance.failback.healthyFor':
    '<link>{cluster}</link> has been healthy for {span}. {left, plural, one {# workload} other {# workloads}} ran there before; {returning, number} would return now.',
  'rebalance.failback.wait': 'Stable in {span}.',
  'rebalance.failback.counts':
    '{left, plural, one {# workload} other {# workloads}} ran there before; {returning, number} would return now.',
  'rebalance.failback.NotThere': 'The scheduler would not place it in {cluster}.',
  'rebalance.failback.Suspended': 'Automatic failback is suspended by spec.suspend.',
  'rebalance.failback.PlanRunning': 'Plan {plan} is {phase}.',
  'rebalance.failback.NothingToReturn': 'No workload can return to a stable cluster.',
  'rebalance.failback.Returning': 'Plan {plan} returns {n, plural, one {# workload} other {# workloads}} to {cluster}.',

  'rebalance.stage.pending': 'Pending',
  'rebalance.stage.triggered': 'Triggered',
  'rebalance.stage.scheduled': 'Scheduled',
  'rebalance.stage.applied': 'Applied',
  'rebalance.stage.healthy': 'Healthy',
  'rebalance.stage.failed': 'Failed',
  'rebalance.stageMeaning.pending': 'The trigger is not written yet.',
  'rebalance.stageMeaning.triggered': 'The trigger is written to the binding; no replica has moved yet.',
  'rebalance.stageMeaning.scheduled':
    'The scheduler has placed the workload; member clusters have not applied the result yet.',
  'rebalance.stageMeaning.applied': 'Every member cluster has applied the result.',
  'rebalance.stageMeaning.healthy': 'All replicas are ready.',
  'rebalance.stageMeaning.failed': 'This rebalancer does not rebalance the workload.',
  'rebalance.result.none': 'Not reported',
  'rebalance.result.triggered': 'Trigger written',
  'rebalance.column.steps': 'Triggered → Scheduled → Applied → Healthy',
  'rebalance.column.result': 'API result',
  'rebalance.column.rebalancer': 'Rebalancer',
  'rebalance.column.progress': 'Progress',
  'rebalance.list.title': 'Rebalancers',
  'rebalance.list.filter': 'Filter: name, target=, by=',
  'rebalance.list.new': 'New rebalance…',
  'rebalance.list.inWaves': 'Plans (in waves)',
  'rebalance.list.atOnce': 'Rebalancers (all at once)',
  'rebalance.list.empty': 'No rebalancers',
  'rebalance.list.emptyHint':
    'Select <fleet>workloads</fleet> and press <key>p</key> to preview a rebalance, or <form>select workloads by label, cluster or policy</form>.',
  'rebalance.page.all': 'All rebalancers',
  'rebalance.page.fleet': 'Workloads',
  'rebalance.page.targets': 'Workloads of the rebalancer',
  'rebalance.page.filter': 'Filter: name, ns=',
  'rebalance.page.byStage': 'Targets by stage',
  'rebalance.page.loading': 'Loading the rebalancer',
  'rebalance.page.ttl': 'deleted {span} after completion',
  'rebalance.page.againCommand': 'Rebalance these workloads again',
  'rebalance.page.prediction':
    '{exact, number} of {total, plural, one {# workload} other {# workloads}} placed as in the preview{missed, plural, =0 {} other {; the preview marked {announced, number} of the other {missed, number} as uncertain}}. {asExpected, number} placed as the reports of the clusters at the time of the decision imply.',
  'rebalance.page.again': 'Rebalance again…',
  'rebalance.page.ignored':
    'The scheduler ignored the trigger of {n, plural, one {# workload} other {# workloads}}, because it had just scheduled {n, plural, one {it} other {them}}. Nothing moved.',
  'rebalance.page.triggerAgain': 'Trigger again…',
  'rebalance.page.triggerAgainCommand': 'Trigger the ignored workloads again',
  'rebalance.page.gone': 'No rebalancer {name}',
  'rebalance.page.goneHint':
    'It doesn’t exist: deleted, expired by ttlSecondsAfterFinished or never created. Workloads that it moved stay in their clusters.',
  'rebalance.state.tooLarge': 'Not executed: the results of so many workloads do not fit into one object',
  'rebalance.state.inProgress': '{done, number} of {total, plural, one {# workload} other {# workloads}} done',
  'rebalance.state.failed': '{n, number} of {total, plural, one {# workload} other {# workloads}} failed',
  'rebalance.state.notHealthy': '{n, number} of {total, plural, one {# workload} other {# workloads}} not healthy',
  'rebalance.state.suspended':
    '{n, number} of {total, plural, one {# workload} other {# workloads}} with suspended scheduling',
  'rebalance.state.unknown': '{n, number} of {total, plural, one {# workload} other {# workloads}} with unknown state',
  'rebalance.state.done':
    '{total, plural, one {# workload} other {All # workloads}} done{moved, plural, =0 {} one {, # replica moved} other {, # replicas moved}}',

  'rebalance.places.notRecorded': 'not recorded',
  'rebalance.places.beforeNotRecorded': 'The previous clusters were not recorded.',
  'rebalance.places.predictedUncertain': 'predicted, marked as uncertain: {places}',
  'rebalance.places.expected': 'By the latest reports of the clusters: {places}',
  'rebalance.places.predicted': 'predicted: {places}',
  'rebalance.newPlan.creating': 'Creating the plan…',
  'rebalance.newPlan.preview': 'Preview plan',
} as const
