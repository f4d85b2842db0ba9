'use client'
import { useMemo } from 'react'
import { orderKeeper } from '@/lib/std/order-keeper'
import type { WorkloadView } from '@/lib/view/model'
import { useSorting } from '../hooks/use-sorting'
import { useCollection } from '../hooks/use-collection'
import { type UrlChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { countStates, parseState } from '../status/states'
import { arrangeColumns, fleetSorts, foldIdleColumns, GROUPINGS } from './matrix-model'
import { byNamespaceAndName, type FleetQuery, selectWorkloads } from '../fleet-summary/select-workloads'

/** The address without anything that hides rows. */
export const SHOW_ALL: UrlChanges = { q: undefined, state: undefined, only: undefined }

/** More clusters than this are shown as a picture, unless the address asks for the table. */
const MOST_FOR_TABLE = 8

/** Everything that the fleet page shows, from the live collections and the address. */
export function useFleet() {
  const url = useUrlState()
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const onlyExceptions = url.get('only') === 'exceptions'
  const grouping = GROUPINGS.find((each) => each === url.get('group')) ?? 'namespace'
  const query = useMemo<FleetQuery>(() => ({ filter, state, onlyExceptions }), [filter, state, onlyExceptions])
  const inOrder = useMemo(() => orderKeeper<WorkloadView>(byNamespaceAndName), [])
  const chosen = useMemo(() => selectWorkloads(workloads.items, query, inOrder), [workloads.items, query, inOrder])
  const columns = useMemo(() => arrangeColumns(clusters.items, workloads.items), [clusters.items, workloads.items])
  const sorts = useMemo(() => fleetSorts(columns), [columns])
  const { rows: selected, text: sort, head } = useSorting(chosen, sorts)
  const showIdle = url.get('idle') === 'show'
  const folded = useMemo(
    () => (showIdle ? { shown: columns, idle: 0 } : foldIdleColumns(columns, selected)),
    [showIdle, columns, selected],
  )
  const counts = useMemo(() => countStates(workloads.items), [workloads.items])
  const view = url.get('view') ?? (columns.length > MOST_FOR_TABLE ? 'heat' : 'table')
  return {
    url,
    isHeat: view === 'heat',
    workloads,
    clusters,
    query,
    grouping,
    shown: selected,
    columns: folded.shown,
    idle: folded.idle,
    counts,
    viewKey: JSON.stringify([query, grouping, sort]),
    head,
  }
}
