'use client'
import { useMemo } from 'react'
import { formatDelta, strategyWord } from '@/lib/format'
import type { WorkloadView } from '@/lib/view/model'
import { FleetEmpty } from '../fleet/fleet-empty'
import { selectWorkloads } from '../fleet/matrix-model'
import { href } from '../hooks/url-state'
import { useCalm } from '../hooks/use-calm'
import { useCollection } from '../hooks/use-collection'
import { useHeldRows } from '../hooks/use-held-rows'
import { useUrlState } from '../hooks/use-url-state'
import { FilterField } from '../shell/filter-field'
import { describeQuery, ListBody } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Ago } from '../status/ago'
import { HeldMark } from '../queues/held-mark'
import { Legend } from '../status/legend'
import { StateMark } from '../status/state-mark'
import { countStates, parseState } from '../status/states'
import { WorkloadName } from '../status/workload-name'
import { ListHead, Table, Td, Th } from '../ui/table'
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
  const shown = useMemo(
    () => selectWorkloads(workloads.items, { filter, state, onlyExceptions: false }),
    [workloads.items, filter, state],
  )
  const calm = useCalm()
  const held = useHeldRows(shown, `${filter} ${state}`, calm.attended)
  return (
    <PageFrame
      title="Workloads"
      freshness={workloads.freshness}
      loaded={workloads.loaded}
      actions={<FilterField hint="Filter: name, ns=, policy=, queue=" />}
      subline={
        <>
          {workloads.refused === undefined && (
            <Legend
              counts={workloads.loaded ? countStates(workloads.items) : undefined}
              noun="workloads"
              selected={state}
              hrefOf={(next) => url.hrefWith({ state: next })}
            />
          )}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      <ListBody
        noun="workload"
        collection={workloads}
        empty={<FleetEmpty clusters={clusters.refused === undefined ? clusters.items.length : undefined} />}
        shown={held.rows.length}
        query={describeQuery(filter, state && `state=${state}`)}
        clearHref={url.hrefWith(SHOW_ALL)}
      >
        <div {...calm.regionProps}>
          <WorkloadTable workloads={held.rows} gone={held.gone} />
        </div>
      </ListBody>
    </PageFrame>
  )
}

function WorkloadTable({ workloads, gone }: { workloads: readonly WorkloadView[]; gone: ReadonlySet<string> }) {
  return (
    // Widths of their own: rows come and go while one scrolls, and columns must not move with them.
    <Table aria-label="Workloads" aria-rowcount={workloads.length + 1} className="min-w-[68rem] table-fixed">
      <ListHead>
        <Th className="w-[24%] pl-6">Workload</Th>
        <Th className="w-[24%]">State</Th>
        <Th figure className="w-[9%]">Now / wants</Th>
        <Th figure className="w-[6%]">Clusters</Th>
        <Th className="w-[15%]">Division</Th>
        <Th>Policy</Th>
        <Th figure className="pr-6">
          Scheduled
        </Th>
      </ListHead>
      <VirtualBody
        items={workloads}
        columns={7}
        render={(workload) => <WorkloadTableRow key={workload.id} workload={workload} gone={gone.has(workload.id)} />}
      />
    </Table>
  )
}

function WorkloadTableRow({ workload, gone }: { workload: WorkloadView; gone: boolean }) {
  return (
    <tr
      className={gone ? 'line-through opacity-60' : 'row-hover'}
      data-testid="workload-row"
      data-workload={workload.id}
    >
      <Td className="pl-6">
        <WorkloadName id={workload.id} workload={workload.ref} />
      </Td>
      <StateCell workload={workload} />
      <ReplicasCell workload={workload} />
      <Td figure>
        <Link href={href.workload(workload.id)} className="hover:underline">
          {workload.cells.length}
        </Link>
      </Td>
      <Td className="truncate" title={strategyWord(workload.strategy)}>{strategyWord(workload.strategy)}</Td>
      <PolicyCell policy={workload.policy} />
      <Td figure className="pr-6">
        <Ago time={workload.lastScheduledTime} />
      </Td>
    </tr>
  )
}

/** The mark, and the sentence where there is something to say; of what is held back, who and why, and its queue. */
function StateCell({ workload: { state: { state, reason }, held } }: { workload: WorkloadView }) {
  return (
    <Td>
      <span className="flex items-center gap-2">
        <StateMark state={state} />
        {held && <HeldMark held={held} />}
        {state !== 'ok' && held?.sentence !== reason && (
          <span className="truncate text-ink-2" title={reason}>
            {reason}
          </span>
        )}
      </span>
    </Td>
  )
}

function ReplicasCell({ workload: { hasReplicas, now, wants } }: { workload: WorkloadView }) {
  if (!hasReplicas) return <Td figure className="text-ink-2">no replicas</Td>
  return (
    <Td figure>
      {now} <span className="text-ink-2">/ {wants}</span>
      {now !== wants && <span className="ml-2 font-medium">{formatDelta(now - wants)}</span>}
    </Td>
  )
}

function PolicyCell({ policy }: Pick<WorkloadView, 'policy'>) {
  if (policy === undefined) return <Td className="text-ink-2">—</Td>
  return (
    <Td className="truncate">
      <Link
        href={href.workloads({ q: `policy=${policy.name}` })}
        className="-outline-offset-2 hover:underline"
        title={`${policy.kind} ${policy.name}`}
      >
        {policy.name}
      </Link>
    </Td>
  )
}
