'use client'
import { Suspense, useMemo } from 'react'
import type { ClusterView } from '@/lib/view/model'
import { type FlowTarget, flowOf, grouping, type PlanFlow } from '@/lib/view/plan-flow/flow'
import { type LoadChange, sumOfLoads } from '@/lib/view/plan-flow/load'
import { nameOf, parseWorkloadId } from '@/lib/view/workload-id'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { useText } from '../messages/use-text'
import { InsetTable } from '../ui/inset-table'
import { Tabs } from '../ui/tabs'
import { Td, Th } from '../ui/table'
import { FlowPicture } from './flow-picture'
import { LoadSection, useChangeText } from './load-section'
import type { KnownLoad } from './use-plan-load'

interface PlanFlowProps {
  targets: readonly FlowTarget[]
  started: boolean
  load: KnownLoad
  onLeaveOut?: ((workload: string) => void) | undefined
}

/** Where the replicas of a plan go, as ribbons or as tables. */
export function PlanFlowSection(props: PlanFlowProps) {
  return (
    <Suspense fallback={<div className="h-64 rounded-panel bg-raised" />}>
      <AreaTexts area="planPicture">
        <Flow {...props} />
      </AreaTexts>
    </Suspense>
  )
}

function Flow({ targets, started, load, onLeaveOut }: PlanFlowProps) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const clusters = useCollection('clusters')
  const { flow, loads, byRegion } = useMemo(
    () => read(targets, clusters.byId, load.view),
    [targets, clusters.byId, load.view],
  )
  const view = get('flow') === 'table' ? 'table' : 'flow'
  if (flow.moved === 0) return null
  return (
    <section aria-labelledby="plan-flow">
      <h2 id="plan-flow" className="mb-1 text-section">
        {text('planPicture.flow.title')}{' '}
        <span className="text-body font-normal">{text('planPicture.flow.total', { n: flow.moved })}</span>
        <span className="ml-3 text-label font-normal text-ink-2">{text('planPicture.flow.hint')}</span>
      </h2>
      <Tabs
        label={text('planPicture.view.label')}
        value={view}
        onChange={(next) => tweak({ flow: next === 'table' ? next : undefined })}
        items={[
          {
            value: 'flow',
            label: text('planPicture.view.flow'),
            content: (
              <>
                {started && <Legend />}
                <FlowPicture
                  flow={flow}
                  loads={loads}
                  byRegion={byRegion}
                  started={started}
                  onTable={() => tweak({ flow: 'table' })}
                  onLeaveOut={onLeaveOut}
                />
              </>
            ),
          },
          {
            value: 'table',
            label: text('planPicture.view.table'),
            content: (
              <div className="flex flex-col gap-4">
                <PlacesTable flow={flow} loads={loads} />
                <MovesTable flow={flow} />
              </div>
            ),
          },
        ]}
      />
      <LoadSection load={load} />
    </section>
  )
}

function read(targets: readonly FlowTarget[], clusters: ReadonlyMap<string, ClusterView>, load: KnownLoad['view']) {
  const names = targets.flatMap(({ before, after }) => [...before, ...after].map(({ cluster }) => cluster))
  const groupOf = grouping(names, (name) => clusters.get(name)?.region)
  const flow = flowOf(targets, groupOf)
  return { flow, loads: cpuOf(load, groupOf), byRegion: names.some((name) => groupOf(name) !== name) }
}

/** CPU by cluster, or by region. */
function cpuOf(load: KnownLoad['view'], groupOf: (cluster: string) => string): Map<string, LoadChange> {
  const groups = Map.groupBy(load?.clusters ?? [], ({ cluster }) => groupOf(cluster))
  return new Map([...groups].map(([name, members]) => [name, sumOfLoads(members.map(({ cpu }) => cpu))]))
}

function Legend() {
  const text = useText()
  return (
    <p className="mb-2 flex gap-4 text-micro text-ink-2">
      <span className="flex items-center gap-1.5">
        <span className="h-2.5 w-4 bg-chart-recovered" />
        {text('planPicture.flow.moved')}
      </span>
      <span className="flex items-center gap-1.5">
        <span className="h-2.5 w-4 border border-dashed border-chart-predicted bg-chart-ready" />
        {text('planPicture.flow.toMove')}
      </span>
    </p>
  )
}

function PlacesTable({ flow, loads }: { flow: PlanFlow; loads: ReadonlyMap<string, LoadChange> }) {
  const text = useText()
  const { count, delta } = text.format
  return (
    <InsetTable aria-label={text('planPicture.table.places')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('planPicture.table.cluster')}</Th>
          <Th figure>{text('planPicture.flow.before')}</Th>
          <Th figure>{text('planPicture.table.stay')}</Th>
          <Th figure>{text('planPicture.flow.after')}</Th>
          <Th figure>Δ</Th>
          <Th figure>{text('planPicture.load.cpu')}</Th>
        </tr>
      </thead>
      <tbody>
        {flow.places.map(({ name, before, after, stay }) => {
          const load = loads.get(name)
          return (
            <tr key={name} data-testid="flow-place-row" data-place={name}>
              <Td className="max-w-64 truncate pl-0 font-medium">{name}</Td>
              <Td figure>{count(before)}</Td>
              <Td figure>{count(stay)}</Td>
              <Td figure>{count(after)}</Td>
              <Td figure>{delta(after - before)}</Td>
              <Td figure className="whitespace-nowrap">
                {load ? <CpuChange load={load} /> : '—'}
              </Td>
            </tr>
          )
        })}
      </tbody>
    </InsetTable>
  )
}

const CpuChange = ({ load }: { load: LoadChange }) => useChangeText('cpu', load)

function MovesTable({ flow }: { flow: PlanFlow }) {
  const text = useText()
  const nameOfPlace = (name: string | undefined): string => name ?? text('planPicture.flow.nowhere')
  return (
    <InsetTable aria-label={text('planPicture.table.moves')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('planPicture.table.from')}</Th>
          <Th>{text('planPicture.table.to')}</Th>
          <Th figure>{text('planPicture.table.replicas')}</Th>
          <Th figure>{text('planPicture.table.done')}</Th>
          <Th>{text('planPicture.table.workloads')}</Th>
        </tr>
      </thead>
      <tbody>
        {flow.moves.map(({ from, to, replicas, done, workloads }) => (
          <tr key={`${from} ${to}`} className="align-top" data-testid="flow-move-row">
            <Td className="pl-0 font-medium">{nameOfPlace(from)}</Td>
            <Td className="font-medium">{nameOfPlace(to)}</Td>
            <Td figure>{text.format.count(replicas)}</Td>
            <Td figure>{text.format.count(done)}</Td>
            <Td>
              {text.format.list(
                workloads.map(({ id, replicas: n }) => {
                  const ref = parseWorkloadId(id)
                  return text('planPicture.flow.workload', { workload: ref ? nameOf(ref) : id, n })
                }),
                8,
              )}
            </Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}
