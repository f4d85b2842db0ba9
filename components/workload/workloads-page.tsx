'use client'
import type { WorkloadView } from '@/lib/view/model'
import { nameOf } from '@/lib/view/workload-id'
import { FleetEmpty } from '../fleet-summary/fleet-empty'
import { selectWorkloads } from '../fleet-summary/select-workloads'
import { ViewSwitch } from '../fleet-summary/view-switch'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import type { Sorts } from '../hooks/sorting'
import { useLiveList } from '../hooks/use-live-list'
import { useSortHeads } from '../hooks/use-sorting'
import { type ListQuery } from '../hooks/filter'
import { useText } from '../messages/use-text'
import { LaterPlanDrawer } from '../plan/later-plan-drawer'
import { FleetHeadline } from '../fleet-summary/fleet-headline'
import { ListPage, StateCounts } from '../shell/list-page'
import { Ago } from '../status/ago'
import { HeldMark } from '../status/held-mark'
import { ReplicaCells } from '../status/replica-cells'
import { StateMark } from '../status/state-mark'
import { WorkloadName } from '../status/workload-name'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { Link } from '../ui/link'

const select = (workloads: readonly WorkloadView[], query: ListQuery) =>
  selectWorkloads(workloads, { ...query, onlyExceptions: false })

const SORTS: Sorts<WorkloadView> = {
  name: ({ ref }) => nameOf(ref),
  state: ({ state }) => state.state,
  ready: ({ ready }) => ready,
  current: ({ current }) => current,
  desired: ({ desired }) => desired,
  unknown: ({ unknown = 0, old = 0 }) => unknown + old,
  drift: ({ drift = 0 }) => drift,
  clusters: ({ cells }) => cells.length,
  division: ({ strategy }) => strategy,
  policy: ({ policy }) => policy?.name,
  scheduled: ({ lastScheduledTime }) => lastScheduledTime,
}

/** All workloads with their policy, division and state. */
export function WorkloadsPage() {
  const text = useText()
  const workloads = useLiveList('workloads', { select, sorts: SORTS })
  const clusters = useCollection('clusters')
  return (
    <ListPage
      title={text('workload.listTitle')}
      noun="workload"
      list={workloads}
      links={<ViewSwitch />}
      filterHint={text('workload.filterHint')}
      subline={<StateCounts list={workloads} label={text('fleet.byState')} />}
      empty={<FleetEmpty clusters={clusters.refused === undefined ? clusters.items.length : undefined} />}
      above={<FleetHeadline workloads={workloads} clusters={clusters} />}
      below={<LaterPlanDrawer />}
    >
      <WorkloadTable workloads={workloads.rows} gone={workloads.gone} />
    </ListPage>
  )
}

function WorkloadTable({ workloads, gone }: { workloads: readonly WorkloadView[]; gone: ReadonlySet<string> }) {
  const text = useText()
  const head = useSortHeads()
  return (
    // Widths of their own: rows come and go while one scrolls, and columns must not move with them.
    <Table
      pinLast
      aria-label={text('workload.listTitle')}
      aria-rowcount={workloads.length + 1}
      className="min-w-[74rem] table-fixed"
    >
      <ListHead>
        <Th className="w-[18%] pl-6" sort={head('name')}>
          {text('workload.title')}
        </Th>
        <Th className="w-[19%]" sort={head('state')}>
          {text('workload.state')}
        </Th>
        <Th figure className="w-[5%]" sort={head('ready')}>
          {text('fleet.ready')}
        </Th>
        <Th figure className="w-[6%]" sort={head('current')}>
          {text('fleet.current')}
        </Th>
        <Th figure className="w-[6%]" sort={head('desired')}>
          {text('fleet.desired')}
        </Th>
        <Th className="w-[9%]" sort={head('unknown')}>
          {text('workload.unknownOrOld')}
        </Th>
        <Th figure className="w-[5%]" title={text('fleet.driftMeaning')} sort={head('drift')}>
          {text('fleet.drift')}
        </Th>
        <Th figure className="w-[6%]" sort={head('clusters')}>
          {text('workload.clusters')}
        </Th>
        <Th className="w-[10%]" sort={head('division')}>
          {text('workload.division')}
        </Th>
        <Th sort={head('policy')}>{text('workload.policy')}</Th>
        <Th figure className="w-[9%] pr-6" sort={head('scheduled')}>
          {text('workload.scheduled')}
        </Th>
      </ListHead>
      <VirtualBody
        items={workloads}
        columns={11}
        render={(workload) => <WorkloadTableRow key={workload.id} workload={workload} gone={gone.has(workload.id)} />}
      />
    </Table>
  )
}

function WorkloadTableRow({ workload, gone }: { workload: WorkloadView; gone: boolean }) {
  const text = useText()
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
      {workload.hasReplicas ? <ReplicaCells counts={workload} /> : <NoReplicas />}
      <DriftCell workload={workload} />
      <Td figure>
        <Link href={href.workload(workload.id)} className="hover:underline">
          {workload.cells.length}
        </Link>
      </Td>
      <Td>
        <CutText text={text(`workload.strategy.${workload.strategy}`)} />
      </Td>
      <PolicyCell policy={workload.policy} />
      <Td figure className="pr-6">
        <Ago time={workload.lastScheduledTime} />
      </Td>
    </tr>
  )
}

/** Shows the mark and its message; for held workloads also the user, the reason and the queue. */
function StateCell({
  workload: {
    state: { state, reason },
    held,
  },
}: {
  workload: WorkloadView
}) {
  const text = useText()
  const said = text.of(reason)
  return (
    <Td>
      <span className="flex items-center gap-2">
        <StateMark state={state} />
        {held && <HeldMark held={held} />}
        {state !== 'ok' && said !== (held && text.of(held.message)) && <CutText text={said} className="text-ink-2" />}
      </span>
    </Td>
  )
}

function NoReplicas() {
  const text = useText()
  return (
    <Td colSpan={4} className="text-center text-ink-2">
      {text('workload.noReplicas')}
    </Td>
  )
}

/** How many replicas run elsewhere than the policy would place them now; chooses what drifts. */
function DriftCell({ workload: { drift = 0 } }: { workload: WorkloadView }) {
  const text = useText()
  if (drift === 0)
    return (
      <Td figure className="text-ink-2" data-drift={0}>
        0
      </Td>
    )
  return (
    <Td figure data-drift={drift}>
      <Link href={href.workloads({ q: 'drift=yes' })} className="font-medium hover:underline">
        {text.format.count(drift)}
      </Link>
    </Td>
  )
}

function PolicyCell({ policy }: Pick<WorkloadView, 'policy'>) {
  if (policy === undefined) return <Td className="text-ink-2">—</Td>
  return (
    <Td title={`${policy.kind} ${policy.name}`}>
      <CutText text={policy.name} href={href.workloads({ q: `policy=${policy.name}` })} />
    </Td>
  )
}
