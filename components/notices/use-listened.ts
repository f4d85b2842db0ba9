'use client'
import { useEffect, useState } from 'react'
import { isLoaded } from '@/lib/view/live-client'
import type { Topic, Topics } from '@/lib/view/live'
import { useLiveConnection } from '../hooks/live-provider'

export interface Listened<T> {
  entities: ReadonlyMap<string, T>
  /** Something arrived. */
  loaded: boolean
  /** The reader may not see any. */
  refused: boolean
}

/** A topic as it comes, also while the tab is hidden or updates are paused. */
export function useListened<K extends Topic>(topic: K): Listened<Topics[K]> {
  const connection = useLiveConnection()
  const [listened, setListened] = useState<Listened<Topics[K]>>(NOTHING)
  useEffect(
    () =>
      connection?.listen(topic, (state) =>
        setListened({
          entities: state.entities as unknown as ReadonlyMap<string, Topics[K]>,
          loaded: isLoaded(state),
          refused: state.phase === 'refused',
        }),
      ),
    [connection, topic],
  )
  return listened
}

const NOTHING = { entities: new Map<string, never>(), loaded: false, refused: false }
