'use client'
import { useMemo } from 'react'
import { orderKeeper } from '@/lib/std/order-keeper'
import type { WorkloadView } from '@/lib/view/model'
import { useSorting } from '../hooks/use-sorting'
import { useCollection } from '../hooks/use-collection'
import { type UrlChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { parseState, stateCounter } from '../status/states'
import { columnArranger, fleetSorts, GROUPINGS, idleFolder } from './matrix-model'
import { byNamespaceAndName, type FleetQuery, workloadSelector } from '../fleet-summary/select-workloads'

/** The address without anything that hides rows. */
export const SHOW_ALL: UrlChanges = { q: undefined, state: undefined, only: undefined }

/** More clusters than this are shown as a picture, unless the address asks for the table. */
const MAX_FOR_TABLE = 8

/** What is kept from one change to the next, so that only what changed is looked into. */
const keepers = () => ({
  inOrder: orderKeeper<WorkloadView>(byNamespaceAndName),
  columns: columnArranger(),
  busy: idleFolder(),
  states: stateCounter(),
})

/** Returns the data of the fleet page from the live collections and the URL. */
export function useFleet() {
  const url = useUrlState()
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const onlyExceptions = url.get('only') === 'exceptions'
  const grouping = GROUPINGS.find((each) => each === url.get('group')) ?? 'namespace'
  const query = useMemo<FleetQuery>(() => ({ filter, state, onlyExceptions }), [filter, state, onlyExceptions])
  const keep = useMemo(() => keepers(), [])
  const select = useMemo(() => workloadSelector(query), [query])
  const chosen = useMemo(() => select(keep.inOrder(workloads.items)), [select, keep, workloads.items])
  const columns = useMemo(() => keep.columns(clusters.items, workloads.items), [keep, clusters.items, workloads.items])
  const sorts = useMemo(() => fleetSorts(columns), [columns])
  const { rows: selected, text: sort, head } = useSorting(chosen, sorts)
  const showIdle = url.get('idle') === 'show'
  const folded = useMemo(
    () => (showIdle ? { shown: columns, idle: 0 } : keep.busy(columns, selected)),
    [keep, showIdle, columns, selected],
  )
  const counts = useMemo(() => keep.states(workloads.items), [keep, workloads.items])
  const view = url.get('view') ?? (columns.length > MAX_FOR_TABLE ? 'heat' : 'table')
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
