'use client'
import { useMemo } from 'react'
import { nameOf } from '../hooks/filter'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { planTitle } from '../plan-run/plan-words'
import { queueHref } from '../queues/queue-url'
import type { Candidate } from './find'

/** Something with a name and a page. */
export interface Named extends Candidate {
  id: string
  href: string
}

/** Things of one kind, as far as the reader sees them. */
export interface NamedGroup {
  heading: string
  items: readonly Named[]
  loaded: boolean
  /** True where none of them may be seen. */
  refused: boolean
  /** The list that shows all that match. */
  listOf?: (query: string) => string
}

/** All that has a name. The collections are followed from the moment in which somebody asks, as on their pages. */
export function useNames(): NamedGroup[] {
  const workloads = useGroup('workloads', 'Workloads', ({ id, ref }) =>
    ({ label: nameOf(ref), words: ref.kind, href: href.workload(id) }))
  return [
    { ...workloads, listOf: (q) => href.workloads({ q }) },
    useGroup('clusters', 'Clusters', ({ name, region = '' }) =>
      ({ label: name, words: region, href: href.cluster(name) })),
    useGroup('queues', 'Queues', ({ id }) => ({ label: id, href: queueHref(id) })),
    useGroup('plans', 'Plans', ({ name, undoOf, createdBy = '' }) => ({
      label: undoOf === undefined ? name : `${planTitle({ name, undoOf })} (${name})`,
      words: createdBy,
      href: href.planRun(name),
    })),
    useGroup('rebalancers', 'Rebalancers', ({ name, createdBy = '' }) =>
      ({ label: name, words: createdBy, href: href.rebalancer(name) })),
    useGroup('spreads', 'Spreads', ({ id, target }) => ({ label: id, words: target.name, href: href.spread(id) })),
  ]
}

type Listed = 'workloads' | 'clusters' | 'queues' | 'plans' | 'rebalancers' | 'spreads'
type Entity<K extends Listed> = ReturnType<typeof useCollection<K>>['items'][number]
type Describe<K extends Listed> = (entity: Entity<K>) => Omit<Named, 'id'>

function useGroup<K extends Listed>(topic: K, heading: string, describe: Describe<K>): NamedGroup {
  const { items, loaded, refused } = useCollection(topic)
  // What each topic makes of an entity never changes.
  // oxlint-disable-next-line react/exhaustive-deps
  const named = useMemo(() => items.map((item) => ({ id: `${topic} ${item.id}`, ...describe(item) })), [items, topic])
  return { heading, items: named, loaded, refused: refused !== undefined }
}
