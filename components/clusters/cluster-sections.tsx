'use client'
import { clsx } from 'clsx'
import type { ClusterView } from '@/lib/view/model'
import { nameOf } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { BlockedInCluster } from '../status/blocked-by'
import { cellFigure, figureText } from '../status/cell-figure'
import { Conditions } from '../status/conditions'
import { StateGlyph } from '../status/state-glyph'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'
import { placeOf, taintText } from './cluster-words'

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

export function TaintsSection({ cluster: { taints } }: { cluster: ClusterView }) {
  const text = useText()
  return (
    <Section title={text('clusters.taints')}>
      {taints.length === 0 && <p className="text-ink-2">{text('clusters.noTaints')}</p>}
      <ul>
        {taints.map((taint) => (
          <li key={taintText(taint)} className="flex gap-3">
            <span className="mono min-w-0 break-all">{taintText(taint)}</span>
            {taint.timeAdded && (
              <span className="text-ink-2">
                <Ago time={taint.timeAdded} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

export function ConditionsSection({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  return (
    <Section title={text('common.conditions')}>
      <Conditions conditions={cluster.conditions} />
    </Section>
  )
}

/** What waits for a cluster that is not ready. */
export function BlockedSection({ cluster }: { cluster: ClusterView }) {
  const text = useText()
  return (
    <Section title={text('clusters.blockedBy')}>
      <BlockedInCluster cluster={cluster.name} />
      <p className="mt-3">
        <Link href={href.incident({ cluster: cluster.name })} className={buttonClass('primary')}>
          {text('clusterPage.openIncident')}
        </Link>
      </p>
    </Section>
  )
}

/** Maximum length of this list; the Fleet page shows all entries. */
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
