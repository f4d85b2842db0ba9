/** The document of the API: sections, endpoints, parameters, schemas. */
export const apiDocument = {
  'api.tag.fleet': 'Fleet',
  'api.tag.rebalance': 'Rebalance',
  'api.tag.placement': 'Placement',
  'api.tag.failover': 'Failover',
  'api.tag.queues': 'Queues',
  'api.tag.activity': 'Activity',
  'api.tag.session': 'Session',
  'api.tag.controlPlane': 'Control plane',
  'api.endpoint.about': 'Describe the control plane',
  'api.endpoint.snapshot': 'Read the first snapshot of a live collection',
  'api.endpoint.snapshot.description':
    'What a subscription to the topic would send first; the live stream continues at its revision. Without content where the stream has to tell more than rows: a refusal, kinds that are not read, an outdated cache.',
  'api.endpoint.noticeReceivers': 'List the receivers of notices',
  'api.endpoint.noticeReceivers.description':
    'Receivers come from `--notify-config`. Addresses are shortened to the host; secrets are never shown.',
  'api.endpoint.testReceiver.description':
    'Sends one test notice, without retries, and returns how the receiver answered. Requires `create` on `noticereceivers/test` of `evenkeel.io`.',
  'api.schema.notice.version': 'Version of this schema. New optional fields do not change it.',
  'api.schema.notice.id': 'Names this event; a repeated delivery has the same one, also as header Idempotency-Key.',
  'api.schema.notice.at': 'When the console noticed the event.',
  'api.schema.notice.text': 'The event as one English sentence.',
  'api.schema.notice.url': 'The page of the incident in the console.',
  'api.schema.notice.incident.id': 'The same in all events of one incident.',
  'api.schema.notice.since': 'The first symptom.',
  'api.schema.notice.requested': 'An operator requested it: a drain.',
  'api.schema.notice.plan': 'Name of the RebalancePlan.',
  'api.schema.notice.blockedWorkloads': 'Workloads whose failover does not proceed by itself.',
  'api.schema.notice.incident': 'Absent in a test.',
  'api.endpoint.access': 'Check permissions',
  'api.endpoint.access.description':
    'Answered by the API server. Buttons use it; each action checks its permissions again.',
  'api.endpoint.activity': 'List activity, latest first',
  'api.endpoint.activity.description':
    'Your own actions, and actions of other users on objects whose Events you can list.',
  'api.endpoint.document': 'Get this document',
  'api.endpoint.failovers': 'List failovers and incidents in progress',
  'api.endpoint.failoverSummary': 'Count failovers by stage',
  'api.endpoint.failoverHistory': 'List failovers completed in the last 24 hours',
  'api.endpoint.blockers': 'List what blocks failovers from a cluster',
  'api.endpoint.failoverPreview': 'Preview an action on a failover or cluster',
  'api.endpoint.failoverPreview.description': 'Changes nothing. Returns the patch that would be written.',
  'api.endpoint.failoverAction.description':
    'Requires the `base` of the preview. Returns 409 with a new preview if the object changed since.',
  'api.endpoint.journal': 'Get the journal of observed changes',
  'api.endpoint.journal.description': 'Oldest first, streamed. Contains the workloads and clusters that you can view.',
  'api.endpoint.journal.download': 'Return a file to download.',
  'api.endpoint.record': 'Get the record of an outage, a failover or a rebalance plan',
  'api.endpoint.record.description':
    'Name `cluster` for the outage of a cluster, `workload` and `cluster` for the failover of a workload, or `plan`. Without `since`, the latest. Contains the workloads that you can view.',
  'api.endpoint.record.after': 'Only entries after this sequence number.',
  'api.endpoint.clusters': 'List member clusters',
  'api.endpoint.cluster': 'Get a member cluster',
  'api.endpoint.pods': 'List the pods of a workload in a cluster',
  'api.endpoint.pods.description':
    'Read in the cluster as you, through the cluster proxy. Without `object`, the workload does not exist there.',
  'api.endpoint.pods.workload': 'The ID of the workload.',
  'api.endpoint.pod': 'Get a pod of a cluster with its events',
  'api.endpoint.podLog': 'Get the log of a pod',
  'api.endpoint.podLog.description':
    'Plain text, streamed. The parameters are those of PodLogOptions. Requires permission to get `pods/log` in the cluster. Without `follow`, the log ends after 10 MiB.',
  'api.endpoint.nodes': 'List the nodes of a cluster with their pods',
  'api.endpoint.nodes.description':
    'Read in the cluster as you. Contains up to 2,000 nodes and 5,000 pods. Usage requires the metrics API in the cluster.',
  'api.endpoint.object': 'Get any object',
  'api.endpoint.object.description': 'Read as you: in the control plane, or with `cluster` in that cluster.',
  'api.endpoint.objectPreview': 'Preview an edit of an object',
  'api.endpoint.objectPreview.description': 'Server-side dry run as you. Changes nothing.',
  'api.endpoint.objectWrite.description':
    'Replaces the object as you. With a `resourceVersion` in the body, returns 409 if the object changed since.',
  'api.endpoint.taint.description':
    'Returns 409 if the taint is there already, or is not there. A NoExecute taint evicts workloads that do not tolerate it.',
  'api.endpoint.workloads': 'List workloads with their distribution',
  'api.endpoint.inNamespace': 'Only objects in this namespace.',
  'api.endpoint.inCluster':
    'Only workloads that are scheduled to this cluster, evicted from it, or required by a workload in it.',
  'api.endpoint.workload': 'Get a workload with all details',
  'api.endpoint.workload.description':
    'The four path segments are the ID of the workload: `~` replaces the slash of the apiVersion, `-` means no namespace. The ETag is that of its binding.',
  'api.endpoint.policies': 'List propagation policies of both kinds',
  'api.endpoint.policy': 'Get a propagation policy',
  'api.endpoint.policy.description': 'Use `-` as the namespace of a ClusterPropagationPolicy.',
  'api.endpoint.policyDocument': 'Get the document of a policy',
  'api.endpoint.policyDryRun': 'Dry run of a policy',
  'api.endpoint.policyDryRun.description':
    'Sends the manifest to the API server as a dry run, as you. With a resourceVersion it is an update, without one a creation. Changes nothing.',
  'api.endpoint.updatePolicy.description':
    'Replaces the policy. With If-Match it answers 412 if another client changed the policy since.',
  'api.endpoint.lab': 'Get the inputs of the placement lab',
  'api.endpoint.lab.description':
    'Returns the objects that a draft of a policy selects, with the policy that has each, and the bindings and clusters that the scheduler reads. Templates are listed as you.',
  'api.endpoint.placementPreview': 'Preview a placement',
  'api.endpoint.placementPreview.description':
    'Schedules every selected workload under another placement: after the policy is saved, and after a rebalance. Changes nothing.',
  'api.schema.lab': 'Bindings and clusters are reduced to what the scheduler reads.',
  'api.schema.placementPreview': 'Results by workload: after saving the policy, and after a rebalance.',
  'api.endpoint.spreads': 'List WorkloadSpreads with the counts that members report',
  'api.endpoint.spread': 'Get a WorkloadSpread',
  'api.endpoint.simulate.description': 'Returns 409 for a cluster that is not simulated.',
  'api.endpoint.rebalancers': 'List WorkloadRebalancers with their progress',
  'api.endpoint.rebalancer': 'Get a WorkloadRebalancer',
  'api.endpoint.rebalanceAtOnce.description':
    'Requires the `base` of the preview. Returns 409 with a new preview if the fleet changed since.',
  'api.endpoint.predictionAccuracy':
    'How many workloads of finished plans ended where the preview put them, also of deleted plans',
  'api.endpoint.plans': 'List RebalancePlans with their progress',
  'api.endpoint.plan': 'Get a RebalancePlan',
  'api.endpoint.planLoad': 'Get the load of clusters before and after a RebalancePlan',
  'api.endpoint.planLoad.description':
    'Requests of CPU, memory and pods in each cluster of the plan, including pending moves, relative to allocatable. Requires permission to list clusters.',
  'api.endpoint.rebalanceInWaves.description':
    'With `targets` and the `base` of their preview, the plan starts at once. With a selection, or as the undo of another plan, it computes a preview and waits for approval.',
  'api.endpoint.rebalancePreview': 'Preview a rebalance',
  'api.endpoint.rebalancePreview.description':
    'Computed by the scheduling code on a copy of the fleet. Changes nothing.',
  'api.endpoint.whatIf': 'Simulate the failure or drain of clusters',
  'api.endpoint.whatIf.description':
    'Computed by the scheduling and failover code on a copy of the fleet. Lists the workloads that you can view.',
  'api.endpoint.whatIf.capacity': 'Assumed capacity of clusters, in percent of allocatable.',
  'api.endpoint.whatIf.added': 'Empty clusters that join before that, each like a registered one.',
  'api.endpoint.whatIf.policies':
    'Edits of policies before that: a cluster that a policy allows or excludes, or another placement. The scheduler places their workloads.',
  'api.endpoint.whatIf.replicas': 'Workloads with another number of replicas before that. The scheduler places them.',
  'api.endpoint.whatIf.others': 'Clusters that fail, or are drained, at the same time.',
  'api.endpoint.readyHistory': 'Get the missing replicas of the last 24 hours',
  'api.endpoint.readyHistory.description':
    'Read from the journal and kept for 10 seconds. Counts the workloads that you can view. The last 15 minutes have steps of 2 seconds.',
  'api.endpoint.lossSurvey': 'List which single clusters could fail without loss',
  'api.endpoint.lossSurvey.description':
    'Computed by the scheduling and failover code on a copy of the fleet, when requested, and kept for 15 seconds, or for a minute while the fleet is unchanged. With more than 300 workloads it starts only with start=1. Counts the workloads that you can view.',
  'api.endpoint.losses': 'List the effects of losing clusters, regions, zones and pairs of clusters',
  'api.endpoint.losses.description':
    'Computed like the survey of single clusters, and shared with it. With many workloads, compute=start starts it, and compute=pairs simulates each pair of clusters. Sums cover the workloads that you can view.',
  'api.endpoint.loss': 'Get the effects of losing a cluster, or two clusters',
  'api.endpoint.loss.description': 'Names of clusters, separated by commas. Returns 404 if this loss is not computed.',
  'api.endpoint.failbacks': 'List workloads that could return to recovered clusters',
  'api.endpoint.session': 'Get the current user and session',
  'api.endpoint.session.description':
    'Returns the user, the login method and the end of the session, or 401 without a session.',
  'api.endpoint.login': 'Get the login methods and the state of the session',
  'api.endpoint.logIn.description': 'The API server must accept the token. The browser does not store it.',
  'api.endpoint.renew': 'Extend the session of an active user',
  'api.endpoint.logOut.description': 'The session of this browser ends on all instances.',
  'api.endpoint.revokeSessions.description':
    'Ends all current sessions of the user. Requires permission to impersonate the user.',
  'api.document.description':
    'Queries and actions of the console. Every request acts as its user, with the permissions of that user in the API server. Errors are problem details (RFC 9457); programs should use `reason`.',
  'api.document.cookie':
    'The session of a browser after login. The full name of the cookie has a suffix for each console on a host.',
  'api.document.bearer': 'A token that the API server accepts, sent with each request.',
  'api.document.idempotencyKey':
    'Runs the action at most once for each key: for one day, the same request gets the first response again, with `Idempotency-Replayed: true`. The pages of the console send a key with each action.',
  'api.document.ifMatch':
    'The ETag of the object that you read; it changes with the spec, and not with the status. If the object changed since, nothing is done, and the response is 412 with the author of the change.',
  'api.document.requestIdParameter':
    'Names the request in logs, audit log and problems. Generated by the server if absent.',
  'api.document.requestId': 'The ID of the request.',
  'api.document.etag': 'The version of the object, for If-Match.',
  'api.document.staleSince':
    'Time since when the control plane does not respond. The response is the last known state.',
  'api.document.limit': 'Requests of this kind that a user can send per minute.',
  'api.document.remaining': 'Requests left.',
  'api.document.reset': 'Seconds until the limit is fully available again.',
  'api.document.done': 'The action is done or requested.',
  'api.document.answer': 'The result.',
  'api.document.pageLimit': 'Maximum number of items.',
  'api.document.continue': '`continue` of the previous page.',
  'api.document.nextPage': 'Token of the next page. Absent on the last page.',
  'api.document.remainingItems': 'Items after this page.',
  'api.schema.objectName': 'A DNS-1123 subdomain. Generated if absent.',
  'api.schema.verdictReason': 'The reason that the API server gives. Empty if allowed, or if it gives none.',
  'api.schema.problem.type': 'The section of the API reference on this problem.',
  'api.schema.problem.detail': 'What failed, why, and what to do next. For people.',
  'api.schema.problem.instance': 'Names this occurrence in logs and audit log: `urn:request:` and the request ID.',
  'api.schema.problem.reason': 'The kind of the problem. For programs.',
  'api.schema.problem.field': 'The invalid field of the body or the query.',
  'api.schema.problem.plan': 'With PlanOutdated: the new preview.',
  'api.schema.problem.workloads': 'With TooManyWorkloads: the workloads that the selection matches.',
  'api.schema.problem.changed': 'What an action changed before it failed.',
  'api.schema.change.path': 'Path below the spec, such as `hold.reason`. Empty for the whole spec.',
  'api.schema.change.before': 'JSON. Absent if the field was not set.',
  'api.schema.change.after': 'JSON. Absent if the field was removed.',
  'api.schema.change.withheld': 'Set if you cannot list such objects. Path and values are then omitted.',
  'api.schema.activity.id': 'Sorts by time.',
  'api.schema.activity.via': '`local`: the console has no login.',
  'api.schema.activity.endpoint': 'Method and path, such as `POST /api/v1/rebalancers`.',
  'api.schema.activity.reason': 'The reason of the problem, if the action failed.',
  'api.schema.activity.object': '`Queue/lab/main`, or any part of `Kind/namespace/name`, case-insensitive.',
  'api.schema.incidentRecord':
    'Readiness, evictions and ready replicas by cluster in the order in which they were observed.',
  'api.schema.incident': 'Workloads affected by the loss of a cluster, and how many have recovered.',
  'api.schema.failoverSummary.workloads': 'Workloads with a failover in progress, each counted once.',
  'api.schema.failoverPlan.base': 'Send it back with the action.',
  'api.schema.failoverPlan.losses': 'Workloads that lose all their ready replicas, or have no cluster afterwards.',
  'api.schema.capacity': 'In base units: milli-CPU, bytes, pods.',
  'api.schema.replicas.desired': 'Replicas that should run.',
  'api.schema.replicas.current': 'Desired replicas that exist.',
  'api.schema.replicas.ready': 'Desired replicas that are ready.',
  'api.schema.replicas.unknown': 'Desired replicas whose state is unknown. Default: 0.',
  'api.schema.replicas.old':
    'Replicas beyond the desired ones, or in a cluster that the workload is leaving. Default: 0.',
  'api.schema.replicas.oldReady': 'Old replicas that are ready. Default: 0.',
  'api.schema.replicas.oldUnknown':
    'Old replicas that may remain in clusters that do not respond, not included in `old`. Default: 0.',
  'api.schema.held': 'Why a workload is not scheduled.',
  'api.schema.drift': 'Replicas that a rebalance would move now. Absent if none.',
  'api.schema.bindingObject': 'The binding as the API returns it.',
  'api.schema.kubectl': 'How kubectl connects on the host of the server. Absent if users log in.',
  'api.schema.twin': 'Present if the control plane is a twin: a copy of another one with simulated members.',
  'api.schema.twin.moved':
    'Workloads that the scheduler would place differently in the twin, at most 200; empty without permission to list bindings and clusters everywhere.',
  'api.schema.twin.omissions': 'What could not be copied as it is in the source.',
  'api.schema.clusterFailover':
    'When the workloads of a failed cluster are evicted: automatically, once it has a NoExecute taint, never, or with the taint if eviction is enabled, which is unknown.',
  'api.schema.ownNamespaces':
    'Namespaces in which you may list a kind that you may not list in all namespaces: the first 100 by name.',
  'api.schema.quarantine': 'Objects that a controller skips, or fails on repeatedly.',
  'api.schema.readyHistory': 'Desired replicas that were not ready, over time.',
  'api.schema.lossSurvey': 'For each ready cluster, the workloads that would have no place if it failed.',
  'api.schema.fix': 'A change that was simulated for the same loss, with its effect.',
  'api.schema.loss': 'What becomes of workloads if these clusters fail at the same time.',
  'api.schema.losses': 'What each loss of a cluster, a region, a zone or a pair of clusters costs.',
  'api.schema.rebalanceLoad': 'Resources that clusters report as requested, and the changes by a rebalance.',
  'api.schema.headroom': 'A cluster that gains replicas, and how many it has capacity for.',
  'api.schema.rebalanceTarget.uncertain':
    'The placement depends on when clusters report the moves of other workloads; the scheduler may choose another one.',
  'api.schema.rebalanceTarget.expected':
    'Placement by the latest reports of the clusters before the scheduler decided. Absent if it equals the preview, and for users who may not list clusters.',
  'api.schema.rebalancePrediction':
    'Workloads that were scheduled, by whether the result equals the preview (exact) or not (missed). announced: those of the missed that the preview marked as uncertain. asExpected: the result equals the placement by the latest reports before each decision.',
  'api.schema.removed': 'No cluster can run it, so it is removed from all clusters.',
  'api.schema.rebalancePreview.base': 'Send it back to apply this preview.',
  'api.schema.rebalancePreview.manifest': 'The object that is created when you apply the preview.',
  'api.tag.rehearsals': 'Rehearsals',
  'api.endpoint.rehearsals': 'List your rehearsals',
  'api.endpoint.rehearsals.description':
    'Rehearsals belong to the user who started them and to this instance of the console. The latest 20 are kept until it ends. Needs the right to list clusters, and bindings of some namespace.',
  'api.endpoint.rehearsal': 'Get a rehearsal with its result',
  'api.endpoint.rehearsalRecording': 'Get the incidents and plans of a rehearsal',
  'api.endpoint.rehearsalRecording.description':
    'The records that the incident and plan pages show, for the copy. 404 until the rehearsal is done.',
  'api.schema.rehearsalRecording': 'Records of the incidents and plans of a rehearsal, in the times of the copy.',
  'api.endpoint.rehearse': 'Rehearse a scenario on a copy of the federation',
  'api.endpoint.rehearse.description':
    'Copies the objects that the caller can read and runs the scenario on the copy, in simulated time. Nothing is written to the control plane. One rehearsal runs at a time; returns 429 if too many are waiting.',
  'api.endpoint.rehearse.scenario': 'A Scenario as YAML.',
  'api.endpoint.removeRehearsal': 'Cancel or forget a rehearsal',
  'api.endpoint.removeRehearsal.description': 'Cancels a rehearsal that is under way; removes one that has ended.',
  'api.schema.rehearsal': 'A scenario that runs, or ran, on a copy of the federation.',
  'api.schema.rehearsal.state': 'ended: there is no verdict; problems contains the reasons.',
  'api.schema.rehearsal.progress': 'While it runs: simulated time, and steps that were carried out.',
} as const
