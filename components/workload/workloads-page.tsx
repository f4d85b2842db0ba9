'use client'
import { useMemo } from 'react'
import { formatDelta, strategyWord } from '@/lib/format'
import type { WorkloadView } from '@/lib/view/model'
import { FleetEmpty, FleetFiltered, Refused } from '../fleet/fleet-empty'
import { selectWorkloads } from '../fleet/matrix-model'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { useUrlState } from '../hooks/use-url-state'
import { FilterField } from '../shell/filter-field'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Ago } from '../status/ago'
import { Legend } from '../status/legend'
import { StateMark } from '../status/state-mark'
import { countStates, parseState } from '../status/states'
import { SkeletonRows } from '../ui/skeleton'
import { Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { Link } from '../ui/link'

const SHOW_ALL = { q: undefined, state: undefined }

/** All workloads with their policy, division and state. */
export function WorkloadsPage() {
  const url = useUrlState()
  const workloads = useCollection('workloads')
  const clusters = useCollection('clusters')
  const filter = url.get('q') ?? ''
  const state = parseState(url.get('state'))
  const shown = useMemo(() => selectWorkloads(workloads.items, { filter, state, onlyExceptions: false }), [workloads.items, filter, state])
  const calm = useCalm()
  const held = useHeldRows(shown, `${filter} ${state}`, calm.attended)
  const query = [filter, state && `state=${state}`].filter(Boolean).join(' · ')
  return (
    <PageFrame
      title="Workloads"
      freshness={workloads.freshness}
      loaded={workloads.loaded}
      actions={<FilterField hint="Filter: name, ns=, policy=, strategy=" />}
      subline={
        <>
          {workloads.loaded && (
            <Legend counts={countStates(workloads.items)} noun="workloads" selected={state} hrefOf={(next) => url.hrefWith({ state: next })} />
          )}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      {workloads.refused !== undefined && <Refused what="workloads" reason={workloads.refused} />}
      {!workloads.loaded && workloads.refused === undefined && <SkeletonRows label="Loading the workloads" />}
      {workloads.loaded && workloads.items.length === 0 && <FleetEmpty clusters={clusters.items.length} />}
      {workloads.items.length > 0 && held.rows.length === 0 && (
        <FleetFiltered all={workloads.items.length} query={query} clearHref={url.hrefWith(SHOW_ALL)} />
      )}
      {held.rows.length > 0 && (
        <div {...calm.regionProps}>
          <WorkloadTable workloads={held.rows} gone={held.gone} />
        </div>
      )}
    </PageFrame>
  )
}

function WorkloadTable({ workloads, gone }: { workloads: readonly WorkloadView[]; gone: ReadonlySet<string> }) {
  return (
    <Table aria-label="Workloads" aria-rowcount={workloads.length + 1}>
      <thead className="sticky top-0 z-10 bg-paper">
        <tr>
          <Th className="pl-6">Workload</Th>
          <Th>State</Th>
          <Th figure>Now / wants</Th>
          <Th figure>Clusters</Th>
          <Th>Division</Th>
          <Th>Policy</Th>
          <Th figure className="pr-6">
            Scheduled
          </Th>
        </tr>
      </thead>
      <VirtualBody items={workloads} columns={7} render={(workload) => <WorkloadTableRow key={workload.id} workload={workload} gone={gone.has(workload.id)} />} />
    </Table>
  )
}

function WorkloadTableRow({ workload, gone }: { workload: WorkloadView; gone: boolean }) {
  const { ref, state } = workload
  const delta = workload.now - workload.wants
  return (
    <tr className={gone ? 'line-through opacity-60' : 'row-hover'} data-testid="workload-row" data-workload={workload.id}>
      <Td className="pl-6">
        {ref.namespace && <span className="text-ink-2">{ref.namespace}/</span>}
        <Link href={href.workload(workload.id)} className="font-medium hover:underline">
          {ref.name}
        </Link>
        {ref.kind !== 'Deployment' && <span className="ml-2 text-label font-normal text-ink-2">{ref.kind}</span>}
      </Td>
      <Td>
        <span className="flex max-w-[28rem] items-center gap-2">
          <StateMark state={state.state} />
          {state.state !== 'ok' && (
            <span className="truncate text-ink-2" title={state.reason}>
              {state.reason}
            </span>
          )}
        </span>
      </Td>
      <Td figure>
        {workload.hasReplicas ? (
          <>
            {workload.now} <span className="text-ink-2">/ {workload.wants}</span>
            {delta !== 0 && <span className="ml-2 font-medium">{formatDelta(delta)}</span>}
          </>
        ) : (
          <span className="text-ink-2">no replicas</span>
        )}
      </Td>
      <Td figure>
        <Link href={href.workload(workload.id)} className="hover:underline">
          {workload.cells.length}
        </Link>
      </Td>
      <Td className="whitespace-nowrap">{strategyWord(workload.strategy)}</Td>
      <Td className="whitespace-nowrap">
        {workload.policy ? (
          <Link href={href.workloads({ q: `policy=${workload.policy.name}` })} className="hover:underline" title={workload.policy.kind}>
            {workload.policy.name}
          </Link>
        ) : (
          <span className="text-ink-2">—</span>
        )}
      </Td>
      <Td figure className="pr-6">
        <Ago time={workload.lastScheduledTime} />
      </Td>
    </tr>
  )
}
