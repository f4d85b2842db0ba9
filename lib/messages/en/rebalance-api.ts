/** Problems and audit summaries of the endpoints of rebalances and plans. */
export const rebalanceApi = {
  'rebalance.problem.NothingMoves':
    'No selected workload would move; the preview gives the reason for each. Nothing was changed.',
  'rebalance.problem.PlanOutdated':
    'The fleet changed since this preview. Nothing was changed. Review the new preview and confirm it.',
  'rebalance.problem.labels': 'The label selector is invalid: {error}',
  'rebalance.problem.tooMany': 'A plan has at most {most, number} workloads. Select fewer workloads.',
  'rebalance.problem.tooManyAtOnce':
    'The results of {n, number} workloads do not fit into one WorkloadRebalancer. Select fewer workloads, and rebalance the others afterwards.',
  'rebalance.problem.tooManySelected':
    'The selection matches {n, number} workloads, and a plan has at most {most, number}. Split it into several plans.',
  'rebalance.problem.AlreadyExists': 'The name {name} is in use. Nothing was created. Choose another name.',
  'rebalance.problem.IdempotencyKeyReused':
    'This Idempotency-Key was used for another request. Nothing was changed. Use a new key for each action.',
  'rebalance.problem.NotSynced': 'The console has not loaded the whole control plane yet. Try again in a moment.',
  'rebalance.problem.Stale':
    'The control plane does not respond, so the result would be outdated. Try again when the console is live.',
  'rebalance.problem.clusterExists': 'Cluster {cluster} exists already. Choose another name for the new cluster.',
  'rebalance.problem.noPolicy':
    'Policy {policy} doesn’t exist, or you don’t have permission to view it. Choose another policy.',
  'rebalance.problem.noAllow':
    'Policy {policy} allows {cluster} already, or selects clusters by other means than names. Edit it in the placement lab.',
  'rebalance.problem.invalidPlacement':
    'The placement for policy {policy} is invalid: {error}. Correct it and try again.',
  'rebalance.problem.noExclude': 'Policy {policy} excludes {cluster} already. Choose another cluster.',
  'rebalance.problem.noCluster': 'Cluster {cluster} is not registered. Choose another cluster.',
  'rebalance.problem.noWorkload':
    'Workload {workload} does not exist, or you don’t have permission to view it. Choose another workload.',
  'rebalance.problem.noLoss': 'The loss of {clusters} is not computed. Compute it on the Resilience page.',
  'rebalance.audit.undo': 'Undo plan {plan}',
  'rebalance.audit.approve': 'Approve a RebalancePlan',
  'rebalance.audit.continue': 'Continue a RebalancePlan',
  'rebalance.audit.pause': 'Pause a RebalancePlan',
  'rebalance.audit.resume': 'Resume a RebalancePlan',
  'rebalance.audit.stop': 'Stop a RebalancePlan',
  'rebalance.audit.discard': 'Delete a RebalancePlan',
} as const
