'use client'
import { useMemo } from 'react'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { queueHref } from '../hooks/queue-url'
import type { Candidate } from './find'

/** Something with a name and a page. */
export interface Named extends Candidate {
  id: string
  href: string
}

/** Things of one kind, as far as the reader sees them. */
export interface NamedGroup {
  topic: Listed
  items: readonly Named[]
  loaded: boolean
  /** True where the user may list none of them. */
  refused: boolean
  /** The list that shows all that match. */
  listOf?: (query: string) => string
}

/** All objects with a name. Their topics are subscribed to while the palette is open, as on their pages. */
export function useNames(): NamedGroup[] {
  const text = useText()
  const workloads = useGroup('workloads', ({ id, ref }) => ({
    label: nameOf(ref),
    words: ref.kind,
    href: href.workload(id),
  }))
  return [
    { ...workloads, listOf: (q) => href.workloads({ q }) },
    useGroup('clusters', ({ name, region = '' }) => ({ label: name, words: region, href: href.cluster(name) })),
    useGroup('queues', ({ id }) => ({ label: id, href: queueHref(id) })),
    useGroup('plans', ({ name, undoOf, createdBy = '' }) => ({
      label: undoOf === undefined ? name : text('shell.commands.undo', { plan: undoOf, name }),
      words: createdBy,
      href: href.planRun(name),
    })),
    useGroup('rebalancers', ({ name, createdBy = '' }) => ({
      label: name,
      words: createdBy,
      href: href.rebalancer(name),
    })),
    useGroup('policies', ({ id, kind }) => ({ label: id, words: kind, href: href.policy(id) })),
    useGroup('spreads', ({ id, target }) => ({ label: id, words: target.name, href: href.spread(id) })),
  ]
}

export type Listed = 'workloads' | 'clusters' | 'queues' | 'plans' | 'rebalancers' | 'policies' | 'spreads'
type Entity<K extends Listed> = ReturnType<typeof useCollection<K>>['items'][number]
type Describe<K extends Listed> = (entity: Entity<K>) => Omit<Named, 'id'>

function useGroup<K extends Listed>(topic: K, describe: Describe<K>): NamedGroup {
  const { items, loaded, refused } = useCollection(topic)
  // A topic describes its entities always in the same way; only words beside a name follow the language.
  // oxlint-disable-next-line react/exhaustive-deps
  const named = useMemo(() => items.map((item) => ({ id: `${topic} ${item.id}`, ...describe(item) })), [items, topic])
  return { topic, items: named, loaded, refused: refused !== undefined }
}
