'use client'
import { useEffect, useState } from 'react'
import { isLoaded } from '@/lib/view/live-client'
import type { Topic, Topics } from '@/lib/view/live'
import { useLiveConnection } from '../hooks/live-provider'

export interface CollectionUpdates<T> {
  entities: ReadonlyMap<string, T>
  /** Something arrived. */
  loaded: boolean
  /** The reader may not see any. */
  refused: boolean
}

/** A topic as it comes, also while the tab is hidden or updates are paused. */
export function useCollectionUpdates<K extends Topic>(topic: K): CollectionUpdates<Topics[K]> {
  const connection = useLiveConnection()
  const [updates, setUpdates] = useState<CollectionUpdates<Topics[K]>>(NOTHING)
  useEffect(
    () =>
      connection?.listen(topic, (state) =>
        setUpdates({
          entities: state.entities as unknown as ReadonlyMap<string, Topics[K]>,
          loaded: isLoaded(state),
          refused: state.phase === 'refused',
        }),
      ),
    [connection, topic],
  )
  return updates
}

const NOTHING = { entities: new Map<string, never>(), loaded: false, refused: false }
