export const workload = {
  'workload.strategy.Duplicated': 'Duplicated to every cluster',
  'workload.strategy.StaticWeight': 'Divided by static weights',
  'workload.strategy.DynamicWeight': 'Divided by available replicas',
  'workload.strategy.Aggregated': 'Aggregated into few clusters',
  'workload.strategy.NotDivided': 'No replicas to divide',
  'workload.noReplicas': 'No replicas',
} as const
