'use client'
import { clsx } from 'clsx'
import { useRouter } from 'next/navigation'
import type { CapacityView, ClusterView } from '@/lib/view/model'
import { failoverNeeds } from '@/lib/view/needs'
import { DRAIN_TAINT } from '@/lib/view/project/drain'
import { nameOf } from '@/lib/view/workload-id'
import { cellFigure, figureText } from '../status/cell-figure'
import { useMay } from '../hooks/use-can'
import { useCommand } from '../hooks/use-shortcuts'
import { type Collection, useCollection } from '../hooks/use-collection'
import { href, withChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { BlockedInCluster } from '../status/blocked-by'
import { useText } from '../messages/use-text'
import { ClusterTimeline } from '../timeline/recorded-timeline'
import { Ago } from '../status/ago'
import { Conditions } from '../status/conditions'
import { StateGlyph } from '../status/state-glyph'
import { StateMark } from '../status/state-mark'
import { buttonClass } from '../ui/button'
import { GuardedLink } from '../ui/guarded-button'
import { Drawer } from '../ui/drawer'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Swatch } from '../status/replica-bar'
import { CapacityBar } from './capacity'
import { clusterWord, placeOf, taintText } from './cluster-words'
import { Simulation } from './simulation'
import { Link } from '../ui/link'

const clusterPage = (name: string): string => withChanges('/clusters/detail', '', { name })

/** One cluster, open while the address names it. */
export function ClusterDrawer({ clusters }: { clusters: Collection<ClusterView> }) {
  const text = useText()
  const { get, navigate } = useUrlState()
  const name = get('cluster')
  if (name === undefined || !clusters.loaded) return null
  const cluster = clusters.byId.get(name)
  return (
    <Drawer
      open
      wide
      onClose={() => navigate({ cluster: undefined })}
      title={name}
      description={cluster && <ClusterSentence cluster={cluster} />}
    >
      {cluster ? <ClusterContent cluster={cluster} /> : <p>{text('clusters.gone')}</p>}
    </Drawer>
  )
}

function ClusterSentence({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const [word, reason] = [clusterWord(text, cluster), text.of(cluster.state.reason)]
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <StateMark state={cluster.state.state} word={word} className="font-medium text-ink" />
      {reason !== word && <span>{reason}</span>}
    </span>
  )
}

function ClusterContent({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  return (
    <div className="flex flex-col gap-6" data-testid="cluster-detail" data-cluster={cluster.name}>
      <p>
        <Link href={clusterPage(cluster.name)} className="link">
          {text('clusters.openPage')}
        </Link>
      </p>
      <Facts cluster={cluster} />
      <Capacity cluster={cluster} />
      <WhatIfLinks cluster={cluster} />
      <Section title={text('clusters.taints')}>
        <Taints cluster={cluster} />
      </Section>
      <Section title={text('common.conditions')}>
        <Conditions conditions={cluster.conditions} />
      </Section>
      <ClusterTimeline cluster={cluster} />
      {cluster.ready !== 'True' && (
        <Section title={text('clusters.blockedBy')}>
          <Link href={href.incident({ cluster: cluster.name })} className="link">
            {text('failover.timeline')}
          </Link>
          <BlockedInCluster cluster={cluster.name} />
        </Section>
      )}
      <WorkloadsThere cluster={cluster} />
      {cluster.simulated && (
        <Section title={text('clusters.simulation')}>
          <Simulation cluster={cluster} />
        </Section>
      )}
    </div>
  )
}

/** Two questions that are better asked before than after, and the way to the plan of a drain. */
function WhatIfLinks({ cluster: { name, taints } }: { cluster: ClusterView }) {
  const text = useText()
  const router = useRouter()
  const action = taints.some(({ key }) => key === DRAIN_TAINT.key) ? 'undrain' : 'drain'
  const plan = href.failover({ action, in: name })
  const right = useMay(failoverNeeds({ action, cluster: name }))
  useCommand({ label: text(`clusters.${action}Command`, { cluster: name }), right, run: () => router.push(plan) })
  const links = [
    [href.whatIf(name, 'fails'), text('clusters.whatIfFails')],
    [href.whatIf(name, 'drained'), text('clusters.whatIfDrained')],
  ] as const
  return (
    <p className="flex flex-wrap gap-2">
      {links.map(([address, question]) => (
        <Link key={question} href={address} className={buttonClass()}>
          {question}
        </Link>
      ))}
      <GuardedLink right={right} href={plan}>
        {text(`clusters.${action}`)}
      </GuardedLink>
    </p>
  )
}

export function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-section">{title}</h3>
      {children}
    </section>
  )
}

export function Facts({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const facts: [label: string, value: React.ReactNode][] = [
    [text('clusters.places'), placeOf(cluster)],
    [text('clusters.provider'), cluster.provider ?? '—'],
    [text('clusters.kubernetes'), cluster.kubernetesVersion ?? '—'],
    [text('clusters.syncMode'), cluster.syncMode],
    [
      text('clusters.nodesReady'),
      cluster.nodes ? text('clusters.nodesReadyOf', cluster.nodes) : text('clusters.unreported'),
    ],
    [text('clusters.lastChange'), <Ago key="since" time={cluster.readySince} absent="—" />],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 wide:grid-cols-[auto_1fr_auto_1fr]">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-2">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Capacity({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  const lines: [label: string, capacity: CapacityView | undefined, format: (amount: number) => string][] = [
    [text('clusters.resource.cpu'), cluster.cpu, text.format.cpu],
    [text('clusters.resource.memory'), cluster.memory, text.format.bytes],
    [text('clusters.pods'), cluster.pods, text.format.count],
  ]
  return (
    <Section title={text('clusters.capacity')}>
      {cluster.ready !== 'True' && <p className="mb-1 text-ink-2">{text('clusters.lastReported')}</p>}
      <InsetTable aria-label={text('clusters.capacity')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('clusters.resource')}</Th>
            <Th>
              <span className="flex gap-3 font-normal">
                <Swatch className="bg-amount-6" word={text('clusters.bar.used')} />
                <Swatch className="bg-amount-3" word={text('clusters.bar.pending')} />
              </span>
            </Th>
            <Th figure>{text('clusters.used')}</Th>
            <Th figure>{text('clusters.pending')}</Th>
            <Th figure>{text('clusters.allocatable')}</Th>
            <Th figure>{text('clusters.free')}</Th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([label, capacity, format]) => (
            <tr key={label}>
              <Td className="pl-0">{label}</Td>
              <Td>{capacity ? <CapacityBar capacity={capacity} width={120} /> : text('clusters.unreported')}</Td>
              <Td figure>{capacity && format(capacity.allocated)}</Td>
              <Td figure>{capacity && format(capacity.allocating)}</Td>
              <Td figure>{capacity && format(capacity.allocatable)}</Td>
              <Td figure>
                {capacity && text.format.percent(capacity.allocatable - capacity.allocated, capacity.allocatable)}
              </Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
    </Section>
  )
}

export function Taints({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  if (cluster.taints.length === 0) return <p className="text-ink-2">{text('clusters.noTaints')}</p>
  return (
    <ul>
      {cluster.taints.map((taint) => (
        <li key={taintText(taint)} className="flex gap-3">
          <span className="mono">{taintText(taint)}</span>
          {taint.timeAdded && (
            <span className="text-ink-2">
              <Ago time={taint.timeAdded} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The longest list that the drawer shows itself; Fleet has the rest. */
const MOST = 50

export function WorkloadsThere({ cluster, narrow = false }: { cluster: ClusterView; narrow?: boolean }) {
  const text = useText()
  const workloads = useCollection('workloads')
  const there = workloads.items.flatMap((workload) => {
    const cell = workload.cells.find((each) => each.cluster === cluster.name)
    return cell ? [{ workload, cell }] : []
  })
  return (
    <Section title={text('clusters.workloadsHere', { n: there.length })}>
      {there.length === 0 && (
        <p className="text-ink-2">
          {workloads.refused ?? text(workloads.loaded ? 'clusters.noWorkloads' : 'clusters.loading')}
        </p>
      )}
      <ul className={clsx('grid gap-x-6', !narrow && 'wide:grid-cols-2')}>
        {there.slice(0, MOST).map(({ workload, cell }) => (
          <li key={workload.id} className="flex h-7 items-center gap-2 border-b border-line">
            <StateGlyph state={cell.state.state} />
            <Link
              href={href.workload(workload.id)}
              title={text.of(cell.state.reason)}
              className="min-w-0 grow truncate hover:underline"
            >
              {nameOf(workload.ref)}
            </Link>
            <span className="text-ink-2">
              {workload.hasReplicas ? figureText(cellFigure(cell, true)) : workload.ref.kind}
            </span>
          </li>
        ))}
      </ul>
      {there.length > 0 && (
        <p className="mt-2">
          <Link href={href.fleet({ q: `cluster=${cluster.name}` })} className="link">
            {there.length > MOST ? text('clusters.allInFleet', { n: there.length }) : text('clusters.showInFleet')}
          </Link>
        </p>
      )}
    </Section>
  )
}
