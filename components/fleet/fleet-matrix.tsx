'use client'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Text } from '@/lib/messages'
import type { WorkloadView } from '@/lib/view/model'
import { rangeOf, toggleIds } from '../hooks/selection'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { currentSelection, useSelection } from '../hooks/use-selection'
import { useCanRebalance } from '../hooks/use-rebalance-rights'
import { useCommand } from '../hooks/use-shortcuts'
import { href } from '../hooks/url-state'
import { useText } from '../messages/use-text'
import { useAnnounce } from '../shell/announcer'
import { describeQuery, Filtered } from '../shell/list-body'
import { laterPart } from '../ui/later-part'
import { DRIFT, FIRST_CLUSTER, NAME, SELECT, SUM } from './columns'
import { FleetBar } from './fleet-bar'
import { FleetOutline } from './fleet-outline'
import { foldingOf } from './folding'
import type { GridPosition } from './grid-keys'
import { type GroupRow, type MatrixRow, rowArranger } from './matrix-model'
import { SHOW_ALL, type useFleet } from './use-fleet'

/** With more workloads than this, the picture begins with collapsed groups. */
const MAX_OPEN = 100

const LaterHeat = laterPart(() => import('./heat/heat-panel').then((code) => code.HeatPanel), FleetOutline)
const LaterMatrix = laterPart(() => import('./matrix').then((code) => code.Matrix), FleetOutline)

type Fleet = ReturnType<typeof useFleet>

/** The matrix with its selection, and the bar below it. */
export function FleetMatrix({ fleet }: { fleet: Fleet }) {
  const text = useText()
  const { url, workloads } = fleet
  const selection = useFleetSelection(fleet)
  const calm = useCalm()
  const held = useHeldRows(fleet.shown, fleet.viewKey, calm.attended || selection.selected.size > 0)
  const groups = useGroups(fleet, held.rows)
  const { right, plan } = usePlanning(url)
  const actions = useGridActions({ rows: groups.rows, fleet, selection, toggleGroup: groups.toggle })
  const clearHref = url.hrefWith(SHOW_ALL)
  const [shown, all] = [fleet.shown.length, workloads.items.length]
  const registered = fleet.columns.filter(({ cluster }) => cluster !== undefined).length
  const table = (
    <LaterMatrix
      {...groups}
      columns={fleet.columns}
      gone={held.gone}
      selection={selection}
      actions={actions}
      head={fleet.head}
    />
  )
  return (
    <>
      <div className="flex min-h-0 grow flex-col" {...calm.regionProps}>
        {groups.rows.length === 0 ? (
          <Filtered noun="workload" all={all} query={queryText(text, fleet)} clearHref={clearHref} />
        ) : fleet.isHeat ? (
          <LaterHeat {...groups} fleet={fleet} gone={held.gone} selection={selection} table={table} />
        ) : (
          table
        )}
      </div>
      <FleetBar
        counts={{
          shown,
          all,
          clusters: fleet.clusters.refused === undefined ? registered + fleet.idle : undefined,
          idle: fleet.idle,
          waiting: held.waiting,
        }}
        selection={selection.summary}
        clearHref={clearHref}
        onRelease={held.release}
        onShowIdle={() => url.tweak({ idle: 'show' })}
        onClear={selection.clear}
        onPlan={plan}
        right={right}
      />
    </>
  )
}

/** The way to the plan of what is selected at the moment of the call. */
function usePlanning({ navigate }: Fleet['url']) {
  const text = useText()
  const right = useCanRebalance()
  const announce = useAnnounce()
  const plan = () =>
    currentSelection().size > 0 ? navigate({ plan: 'rebalance' }) : announce(text('fleet.nothingSelected'))
  useCommand({ keys: 'p', label: text('fleet.planSelection'), right, run: plan })
  return { right, plan }
}

function queryText(text: Text, { query }: Fleet): string {
  return describeQuery(
    query.filter,
    query.state && `state=${query.state}`,
    query.onlyExceptions && text('fleet.onlyExceptions'),
  )
}

/** The rows with their groups, and the folding of these, which the address keeps. */
function useGroups({ url, grouping, isHeat }: Fleet, workloads: readonly WorkloadView[]) {
  const { get, tweak } = url
  const isMany = isHeat && workloads.length > MAX_OPEN
  const folding = useMemo(
    () => foldingOf({ get, isClosedByDefault: isMany, closedIn: 'closed', openIn: 'open' }),
    [get, isMany],
  )
  const arrange = useMemo(() => rowArranger(), [])
  const rows = useMemo(() => arrange(workloads, grouping, folding.closed), [arrange, workloads, grouping, folding])
  const toggle = useCallback((name: string) => tweak(folding.toggled(name)), [tweak, folding])
  return { rows, toggle, withNamespace: grouping !== 'namespace' }
}

/** What is selected of the workloads that exist, and the ways to change it. */
function useFleetSelection({ shown, workloads }: Fleet) {
  const [inAddress, update] = useSelection()
  const anchor = useRef<string>(undefined)
  const { byId } = workloads
  const selected = useMemo(() => new Set([...inAddress].filter((id) => byId.has(id))), [inAddress, byId])
  // Read when it is needed: rows are not drawn anew because others came.
  const list = useRef(shown)
  useEffect(() => {
    list.current = shown
  }, [shown])
  const toggle = useCallback(
    (id: string, { shiftKey }: { shiftKey: boolean }) => {
      const from = shiftKey ? anchor.current : undefined
      anchor.current = id
      update((current) =>
        from === undefined
          ? toggleIds(current, [id])
          : new Set([...current, ...rangeOf(idsOf(list.current), from, id)]),
      )
    },
    [update],
  )
  const toggleAll = useCallback(() => update((current) => toggleIds(current, idsOf(list.current))), [update])
  const toggleGroup = useCallback(
    (group: GroupRow) =>
      update((current) =>
        toggleIds(
          current,
          group.workloads.map((workload) => workload.id),
        ),
      ),
    [update],
  )
  const clear = useCallback(() => update(() => []), [update])
  const here = selected.size === 0 ? 0 : shown.filter(({ id }) => selected.has(id)).length
  const all: boolean | 'indeterminate' = here === 0 ? false : here === shown.length ? true : 'indeterminate'
  const replicas = [...selected].reduce(
    (sum, id) => sum + (byId.get(id)?.hasReplicas ? (byId.get(id)?.desired ?? 0) : 0),
    0,
  )
  return { selected, clear, toggle, toggleAll, toggleGroup, all, summary: { workloads: selected.size, replicas } }
}

const idsOf = (workloads: readonly WorkloadView[]): string[] => workloads.map(({ id }) => id)

interface GridActionsOptions {
  rows: readonly MatrixRow[]
  fleet: Fleet
  selection: ReturnType<typeof useFleetSelection>
  toggleGroup: (name: string) => void
}

/** What Enter on the head of a column sorts by. */
const SORTED_BY = { [NAME]: 'name', [SUM]: 'ready', [DRIFT]: 'drift' } as const

/** Enter opens what the focus is on, Space selects it. */
function useGridActions({ rows, fleet, selection, toggleGroup }: GridActionsOptions) {
  const router = useRouter()
  return {
    open: ({ row, column }: GridPosition) => {
      const entry = rows[row - 1]
      const cluster = fleet.columns[column - FIRST_CLUSTER]
      if (entry?.kind === 'group') toggleGroup(entry.name)
      else if (entry !== undefined) router.push(href.workload(entry.id, cluster?.name))
      else if (column === NAME || column === SUM || column === DRIFT) fleet.head(SORTED_BY[column]).toggle()
      else if (cluster !== undefined) router.push(href.cluster(cluster.name))
      else if (column === SELECT) selection.toggleAll()
    },
    select: ({ row }: GridPosition, event: { shiftKey: boolean }) => {
      const entry = rows[row - 1]
      if (entry === undefined) selection.toggleAll()
      else if (entry.kind === 'group') selection.toggleGroup(entry)
      else selection.toggle(entry.id, event)
    },
  }
}
