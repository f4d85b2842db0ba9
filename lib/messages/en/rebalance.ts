export const rebalance = {
  'rebalance.byState': 'Plans and rebalancers by state',
} as const
