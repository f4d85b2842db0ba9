/** The list and the pages of propagation policies, fetched with them. */
export const policies = {
  'policies.list': 'Propagation policies',
  'policies.byState': 'Policies by state',
  'policies.filterHint': 'Filter: name, ns=, kind=, cluster=, drift=yes',
  'policies.none': 'No propagation policies yet',
  'policies.noneMeaning':
    'A propagation policy selects workloads and decides in which clusters their replicas run. Without one, nothing leaves the control plane.',
  'policies.loading': 'Loading the policy',
  'policies.gone': 'Policy {id} not found',
  'policies.goneMeaning': 'It may have been deleted. Its workloads stay where they are.',
  'policies.all': 'Show all policies',
  'policies.clusterWide': 'cluster-wide',

  'policies.column.policy': 'Policy',
  'policies.column.selects': 'Selects',
  'policies.column.workloads': 'Workloads',
  'policies.column.clusters': 'Leads to',
  'policies.column.placement': 'Placement',
  'policies.column.drift': 'Drift',
  'policies.column.driftHint': 'Replicas that a rebalance would move',
  'policies.column.priority': 'Priority',
  'policies.column.state': 'State',

  'policies.state.deleting': 'Being deleted',
  'policies.state.unscheduled': '{n, number} of {of, plural, one {# workload} other {# workloads}} cannot be scheduled',
  'policies.state.suspended': 'Suspended by the policy',
  'policies.state.empty': 'No visible workload belongs to this policy',
  'policies.state.drifted':
    '{n, plural, one {# workload has} other {# workloads have}} drifted; {replicas, plural, one {# replica} other {# replicas}} would move',
  'policies.state.ok': '{n, plural, one {# workload is} other {# workloads are}} placed as the policy asks',

  'policies.selects.name': '{kind} {name}',
  'policies.selects.labels': '{kind} with {labels}',
  'policies.selects.all': 'Every {kind}',
  'policies.selects.in': '{what} in namespace {namespace}',
  'policies.driftCount': '{n, number} in {workloads, number}',
  'policies.spreadOver':
    '{replicas, plural, one {# replica} other {# replicas}} in {n, plural, one {# cluster} other {# clusters}}',
  'policies.preempts': 'Preempts policies of lower priority',
  'policies.preemptsNot': 'Does not preempt other policies',
  'policies.priority': '{priority, number}, preemption {preempts}',
  'policies.lazy': 'Lazy: a change takes effect when the workload next changes',

  'policies.rules': 'Rules',
  'policies.suspension': 'Suspension',
  'policies.suspendedNot': 'None',
  'policies.suspension.scheduling': 'Scheduling is suspended',
  'policies.suspension.dispatching': 'Dispatching to all clusters is suspended',
  'policies.suspension.clusters': 'Dispatching to {clusters} is suspended',
  'policies.failover': 'Failover',
  'policies.failoverNone': 'None set; cluster failover uses its defaults',
  'policies.failover.cluster': 'When a cluster fails: purge mode {mode}',
  'policies.failover.application': 'When the workload is {states} for {span}: moves it, purge mode {mode}',
  'policies.created': 'Created',
  'policies.leads': 'Where it leads',
  'policies.leadsTo':
    '{workloads, plural, one {# workload} other {# workloads}}, {replicas, plural, one {# replica} other {# replicas}} in {n, plural, one {# cluster} other {# clusters}}',
  'policies.moreClusters':
    '{n, plural, one {# more cluster} other {# more clusters}}, {replicas, plural, one {# replica} other {# replicas}}',
} as const
