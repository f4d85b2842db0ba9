'use client'
import { useRouter } from 'next/navigation'
import type { CapacityView, ClusterView } from '@/lib/view/model'
import { failoverNeeds } from '@/lib/view/needs'
import { DRAIN_TAINT } from '@/lib/view/project/drain'
import { useMay } from '../hooks/use-can'
import { useCommand } from '../hooks/use-shortcuts'
import type { Collection } from '../hooks/use-collection'
import { href, withChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { ClusterTimeline } from '../timeline/recorded-timeline'
import { StateMark } from '../status/state-mark'
import { buttonClass } from '../ui/button'
import { GuardedLink } from '../ui/guarded-button'
import { Drawer } from '../ui/drawer'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { Swatch } from '../status/replica-bar'
import { CapacityBar } from './capacity'
import { BlockedSection, ConditionsSection, Facts, Section, TaintsSection, WorkloadsThere } from './cluster-sections'
import { clusterWord } from './cluster-words'
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
      <TaintsSection cluster={cluster} />
      <ConditionsSection cluster={cluster} />
      <ClusterTimeline cluster={cluster} />
      {cluster.ready !== 'True' && <BlockedSection cluster={cluster} />}
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
