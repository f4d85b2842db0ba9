'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { useCollection } from '../hooks/use-collection'
import { type Drill, drillOf } from './drill'

/** How far the drill is; undefined where there is none. */
export function useDrill(): Drill | undefined {
  const { items: clusters } = useCollection('clusters')
  const { items: failovers } = useCollection('failover')
  const { items: past } = useCollection('failover-history')
  const { items: plans } = useCollection('plans')
  return useMemo(() => drillOf({ clusters, failovers, past, plans }), [clusters, failovers, past, plans])
}

const KEY = 'evenkeel.drill'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isOn = (): boolean => sessionStorage.getItem(KEY) === 'on'

/** Whether this tab follows the drill: then every page has its bar. */
export function useDrillFollowed(): boolean {
  return useSyncExternalStore(subscribe, isOn, () => false)
}

export function followDrill(follow: boolean): void {
  if (follow) sessionStorage.setItem(KEY, 'on')
  else sessionStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}
