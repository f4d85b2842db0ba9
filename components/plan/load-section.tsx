'use client'
import { useState } from 'react'
import type { Value } from '@/lib/messages/message'
import {
  afterMove,
  type ClusterLoadChange,
  fullestOf,
  isExceeded,
  LOAD_RESOURCES,
  type LoadChange,
  type LoadResource,
} from '@/lib/view/plan-flow/load'
import type { RebalanceLoadView } from '@/lib/view/rebalance-model'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Button } from '../ui/button'
import { LoadBar } from './load-bar'
import type { KnownLoad } from './use-plan-load'

/** More clusters are shown on demand. */
const MOST = 12

/** What each cluster has to run before and after the move, against what it can. Each bar has its figures beside it. */
export function LoadSection({ load: { view, refused } }: { load: KnownLoad }) {
  const text = useText()
  const [all, setAll] = useState(false)
  const clusters = view?.clusters ?? []
  const shown = all ? clusters : clusters.slice(0, MOST)
  return (
    <section aria-labelledby="plan-load" data-testid="plan-load" className="mt-4">
      <h2 id="plan-load" className="mb-1 text-section">
        {text('planPicture.load.title')}
        <span className="ml-3 text-label font-normal text-ink-2">{text('planPicture.load.hint')}</span>
      </h2>
      {view ? <Summary view={view} /> : <p className="min-h-10 text-ink-2">{refused && text.of(refused)}</p>}
      <ul>
        {shown.map((each) => (
          <ClusterLoad key={each.cluster} load={each} />
        ))}
      </ul>
      {clusters.length > shown.length && (
        <Button onClick={() => setAll(true)}>{text('planPicture.load.all', { n: clusters.length })}</Button>
      )}
    </section>
  )
}

/** The fullest cluster, those that cannot hold what arrives, and how old the figures are. */
function Summary({ view: { clusters, computedAt } }: { view: RebalanceLoadView }) {
  const text = useText()
  const now = useNow()
  const fullest = fullestOf(clusters, 'cpu')
  const exceeded = clusters.filter((each) => LOAD_RESOURCES.some((resource) => isExceeded(each[resource])))
  return (
    <>
      <p data-testid="plan-load-fullest" data-cluster={fullest?.cluster}>
        {fullest
          ? text('planPicture.load.fullest', {
              cluster: fullest.cluster,
              now: { share: fullest.now },
              after: { share: fullest.after },
            })
          : text('planPicture.load.noCapacity')}
      </p>
      {exceeded.length > 0 && (
        <p className="flex flex-wrap gap-x-2">
          <StateMark state="warn" word={text('plan.headroom.short')} />
          <span>
            {text('planPicture.load.exceeded', {
              n: exceeded.length,
              clusters: exceeded.map(({ cluster }) => cluster),
            })}
          </span>
        </p>
      )}
      {/* The line is there before the clock of the page is, so that nothing moves. */}
      <p className="min-h-5 text-ink-2">
        {now > 0 && text('planPicture.load.snapshot', { age: { ms: Math.max(0, now - Date.parse(computedAt)) } })}
      </p>
    </>
  )
}

function ClusterLoad({ load }: { load: RebalanceLoadView['clusters'][number] }) {
  const text = useText()
  const { cluster, staleSince } = load
  return (
    <li
      className="grid gap-x-6 gap-y-1 border-t border-line py-1.5 wide:grid-cols-[minmax(8rem,1fr)_2fr_2fr_2fr]"
      data-testid="cluster-load"
      data-cluster={cluster}
      data-cpu-now={load.cpu.capacity?.requested}
      data-cpu-after={afterMove(load.cpu)}
      data-cpu-allocatable={load.cpu.capacity?.allocatable}
    >
      <div className="min-w-0">
        <p className="truncate font-medium" title={cluster}>
          {cluster}
        </p>
        {staleSince !== undefined && (
          <p className="text-ink-2">{text('planPicture.load.stale', { time: { moment: staleSince } })}</p>
        )}
      </div>
      <dl className="contents">
        {LOAD_RESOURCES.map((resource) => (
          <ResourceLoad key={resource} resource={resource} load={load} />
        ))}
      </dl>
    </li>
  )
}

const BAR = 160

function ResourceLoad({ resource, load }: { resource: LoadResource; load: ClusterLoadChange }) {
  const text = useText()
  const change = load[resource]
  return (
    <div className="min-w-0">
      <dt className="text-label text-ink-2">{text(`planPicture.load.${resource}`)}</dt>
      <dd>
        <svg
          aria-hidden="true"
          viewBox={`0 -3 ${BAR} 16`}
          preserveAspectRatio="none"
          className="h-4 w-full max-w-72"
          data-swatch
        >
          <LoadBar change={change} width={BAR} />
        </svg>
        <p>{useChangeText(resource, change)}</p>
        {change.unknown > 0 && <p className="text-ink-2">{text('planPicture.load.unknown', { n: change.unknown })}</p>}
      </dd>
    </div>
  )
}

const inUnit = (resource: LoadResource, amount: number): Value => {
  if (resource === 'cpu') return { cpu: amount }
  return resource === 'memory' ? { bytes: amount } : amount
}

/** `3 → 4.5 of 8 (56%)`. */
export function useChangeText(resource: LoadResource, change: LoadChange): string {
  const text = useText()
  const { capacity, arriving, leaving } = change
  const after = afterMove(change)
  if (after === undefined || !capacity) {
    return text('planPicture.load.notReported', {
      arriving: inUnit(resource, arriving),
      leaving: inUnit(resource, leaving),
    })
  }
  const [now, then, allocatable] = [capacity.requested, after, capacity.allocatable].map((amount) =>
    inUnit(resource, amount),
  ) as [Value, Value, Value]
  const share = { share: capacity.allocatable > 0 ? after / capacity.allocatable : 0 }
  return after === capacity.requested
    ? text('planPicture.load.unchanged', { now, allocatable, share })
    : text('planPicture.load.change', { now, after: then, allocatable, share })
}
