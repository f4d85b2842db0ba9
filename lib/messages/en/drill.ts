/** The guided drill in a simulation. Fetched with it. */
export const drill = {
  'drill.name': 'Guided drill',
  'drill.title': 'See a failover and bring it home in 2 minutes',
  'drill.finished': 'Drill finished. All replicas are back.',
  'drill.intro': 'All clusters here are simulated. Every page works as it does with real clusters.',
  'drill.progress': '{done, number} of 4 steps done',
  'drill.bar': 'Drill: {done, number} of 4 steps done',
  'drill.leave': 'Leave drill',
  'drill.close': 'Close',
  'drill.done': 'Done',
  'drill.notYet': 'Available after step {n, number}',
  'drill.step.down': 'Take a cluster down',
  'drill.step.watch': 'Watch the failover',
  'drill.step.preview': 'Preview the rebalance',
  'drill.step.home': 'Bring it home',
  'drill.meaning.down': 'The simulation stops {cluster}. Its replicas are lost. No real cluster is affected.',
  'drill.meaning.watch':
    'Karmada taints {cluster}, evicts its workloads and schedules them to other clusters. The step is done when all have recovered.',
  'drill.meaning.preview':
    'Bring {cluster} back. Workloads stay where they are; the preview shows which replicas would return, in which order.',
  'drill.meaning.home': 'Approve the plan. Replicas return to {cluster} in waves, within their disruption budget.',
  'drill.takeDown': 'Take {cluster} down',
  'drill.bringBack': 'Bring {cluster} back',
  'drill.openIncident': 'Open incident',
  'drill.preview': 'Preview rebalance',
  'drill.openPlan': 'Open plan',
} as const
