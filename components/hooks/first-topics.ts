import type { Topic } from '@/lib/view/live'

/** What every page of the console has beside its own data. */
const FRAME: readonly Topic[] = ['summary', 'failover-now']

/** By path: the collections without which a page shows nothing. */
const OF_PAGE: Readonly<Record<string, readonly Topic[]>> = {
  '/overview': ['workloads', 'clusters', 'failover'],
  '/fleet': ['workloads', 'clusters'],
  '/workloads': ['workloads', 'clusters'],
  '/clusters': ['clusters'],
  '/clusters/detail': ['clusters'],
  '/failover': ['failover'],
  '/failover/incident': ['failover'],
  '/queues': ['queues'],
  '/rebalancers': ['plans', 'rebalancers'],
}

/** Collections whose snapshots the head of a page names, to be read while scripts load. */
export const ownTopicsOf = (path: string): readonly Topic[] => OF_PAGE[path] ?? []

/** What is subscribed to besides, before the code of a page runs. */
export const frameTopicsOf = (path: string): readonly Topic[] => (OF_PAGE[path] === undefined ? [] : FRAME)
