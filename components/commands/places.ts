/** Pages without a section in the sidebar. */
export const FURTHER_PLACES = [
  { title: 'shell.commands.failoverHistory', href: '/failover?show=history' },
  { title: 'shell.commands.whatIf', href: '/clusters/what-if' },
  { title: 'shell.commands.newRebalance', href: '/rebalancers/new' },
  { title: 'shell.apiReference', href: '/api-reference' },
] as const
