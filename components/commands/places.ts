/** Pages that no key leads to; the others come with the sections of the sidebar. */
export const FURTHER_PLACES: readonly { label: string; href: string }[] = [
  { label: 'Go to Failovers of the last 24 hours', href: '/failover?show=history' },
  { label: 'Go to What if a cluster fails', href: '/clusters/what-if' },
  { label: 'Go to New rebalance', href: '/rebalancers/new' },
  { label: 'Go to the API reference', href: '/api-reference' },
]
