'use client'
import { useQuery } from '@tanstack/react-query'
import type { MemberNodesView } from '@/lib/view/member-model'
import type { CapacityView, ClusterView } from '@/lib/view/model'
import { read } from '../hooks/actions'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Problem } from '../pods/problem'
import { Refused } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { AskedProvider, useAsked } from '../status/asked'
import { AskedFor } from '../status/asked-for'
import { StateGlyph } from '../status/state-glyph'
import { EmptyState } from '../ui/empty-state'
import { SkeletonRows } from '../ui/skeleton'
import { ClusterActions, SimulationBar, simulationOf } from './cluster-actions'
import { ClusterHistory } from './cluster-history'
import { BlockedSection, ConditionsSection, Facts, TaintsSection, WorkloadsThere } from './cluster-sections'
import { placeOf } from './cluster-words'
import { IfItFails } from './if-it-fails'
import { NodeTiles } from './node-tiles'

/** One cluster: whether it is safe, how full it is, and what would happen without it. */
export function ClusterPage() {
  const text = useText()
  const { get } = useUrlState()
  const name = get('name') ?? ''
  const clusters = useCollection('clusters')
  const cluster = clusters.byId.get(name)
  return (
    <AskedProvider key={name}>
      <PageFrame
        title={<Trail parent={TRAILS.clusters} name={name} />}
        documentTitle={name}
        freshness={clusters.freshness}
        loaded={clusters.loaded}
        actions={cluster && <ClusterActions cluster={cluster} />}
        subline={cluster ? <Sentence cluster={cluster} /> : null}
      >
        {clusters.refused !== undefined && <Refused what="clusters" of={clusters} />}
        {!clusters.loaded && clusters.refused === undefined && <SkeletonRows label={text('clusters.loading')} />}
        {clusters.loaded && !cluster && <EmptyState title={text('clusters.gone')}>{null}</EmptyState>}
        {cluster && <ClusterBody cluster={cluster} />}
      </PageFrame>
    </AskedProvider>
  )
}

/** What is going on, in one sentence: it is the first thing that is read. */
function Sentence({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { name, state, cpu, taints, ready } = cluster
  const { askedOf } = useAsked()
  const requested = cpu && cpu.allocatable > 0 ? cpu.allocated / cpu.allocatable : undefined
  return (
    <span
      className="ml-2 flex min-w-0 flex-wrap items-center gap-x-2 text-title"
      data-testid="cluster-sentence"
      data-state={state.state}
    >
      <StateGlyph state={state.state} size={16} />
      <span>
        {requested === undefined
          ? text.of(state.reason)
          : text('clusterPage.sentence', {
              ready: cluster.ready === 'True' ? 'yes' : 'no',
              reason: state.reason,
              share: { share: requested },
            })}
      </span>
      <span className="text-label">
        <AskedFor words={askedOf(name, taints) ?? askedOf(simulationOf(name), ready)} />
      </span>
    </span>
  )
}

function ClusterBody({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { data, error } = useQuery({
    queryKey: ['cluster-nodes', cluster.name],
    queryFn: ({ signal }) =>
      read<MemberNodesView>(`/api/v1/clusters/${encodeURIComponent(cluster.name)}/nodes`, signal),
    refetchInterval: 5000,
    retry: false,
  })
  return (
    <>
      {cluster.simulated && <SimulationBar cluster={cluster} />}
      <div className="flex flex-col gap-6 px-6 py-4" data-testid="cluster-page" data-cluster={cluster.name}>
        <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
          <About cluster={cluster} />
          <Figures cluster={cluster} />
        </div>
        <div className="grid gap-x-8 gap-y-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-6">
            <ClusterHistory cluster={cluster} hasMetrics={data?.metrics} />
            {error && <Problem>{data ? text('pods.last', { why: error.message }) : error.message}</Problem>}
            {data ? <NodeTiles view={data} /> : !error && <SkeletonRows label={text('clusters.loading')} />}
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            {cluster.ready === 'True' ? <IfItFails cluster={cluster.name} /> : <BlockedSection cluster={cluster} />}
            <WorkloadsThere cluster={cluster} narrow />
          </div>
        </div>
        <TaintsSection cluster={cluster} />
        <ConditionsSection cluster={cluster} />
        <Facts cluster={cluster} />
      </div>
    </>
  )
}

/** Location and properties of the cluster and, if it does not respond, a note that its figures are old. */
function About({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { kubernetesVersion, syncMode, readySince, ready } = cluster
  const place = placeOf(cluster)
  return (
    <p className="text-ink-2" data-testid="cluster-about">
      {text('clusterPage.about', { place, version: kubernetesVersion ?? '', mode: syncMode })}{' '}
      {ready !== 'True'
        && readySince !== undefined
        && text('clusterPage.notReadySince', { time: { time: readySince } })}{' '}
      {ready !== 'True' && text('clusterPage.oldFigures')}
    </p>
  )
}

function Figures({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const { replicas, nodes, cpu, memory } = cluster
  const amount = (capacity: CapacityView, show: (value: number) => string) =>
    text('clusterPage.of', { part: show(capacity.allocated), whole: show(capacity.allocatable) })
  const figures: [name: string, value: string, label: string][] = [
    [
      'replicas',
      text('clusterPage.of', { part: replicas.ready, whole: replicas.desired }),
      text('clusterPage.replicasReady'),
    ],
    ...(nodes
      ? [
          [
            'nodes',
            text('clusterPage.of', { part: nodes.ready, whole: nodes.total }),
            text('clusterPage.nodesReady'),
          ] as [string, string, string],
        ]
      : []),
    ...(cpu
      ? [
          ['cpu', amount(cpu, (value) => text.format.cpu(value)), text('clusterPage.cpuRequested')] as [
            string,
            string,
            string,
          ],
        ]
      : []),
    ...(memory
      ? [
          ['memory', amount(memory, (value) => text.format.bytes(value)), text('clusterPage.memoryRequested')] as [
            string,
            string,
            string,
          ],
        ]
      : []),
  ]
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2" data-testid="cluster-figures">
      {figures.map(([name, value, label]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-label text-ink-2">{label}</dt>
          <dd className="text-title" data-figure={name}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
