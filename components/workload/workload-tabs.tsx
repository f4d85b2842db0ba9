'use client'
import type { Text } from '@/lib/messages'
import type { WorkloadDetailView } from '@/lib/view/model'
import { WorkloadBlockedBy } from '../status/blocked-by'
import { useShortcut } from '../hooks/use-shortcuts'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Manifest } from '../plan/manifest'
import { Conditions } from '../status/conditions'
import { buttonClass } from '../ui/button'
import { Link } from '../ui/link'
import { type TabItem, Tabs } from '../ui/tabs'
import { Evictions } from './evictions'
import { Overrides } from './overrides'
import { Timeline } from './timeline'
import { Why } from './why'

/** What is known of one workload, in tabs that the address names. */
export function WorkloadTabs({ workload }: { workload: WorkloadDetailView }) {
  const text = useText()
  const { get, tweak } = useUrlState()
  const items = itemsOf(text, workload)
  const found = items.findIndex((item) => item.value === get('tab'))
  const current = Math.max(0, found)
  const choose = (index: number) => tweak({ tab: items[(index + items.length) % items.length]?.value })
  useShortcut('[', text('workload.previousTab'), () => choose(current - 1))
  useShortcut(']', text('workload.nextTab'), () => choose(current + 1))
  return (
    <Tabs
      label={text('workload.tabs')}
      items={items}
      value={items[current]?.value ?? 'conditions'}
      onChange={(tab) => tweak({ tab })}
    />
  )
}

function Failover({ workload: { id, blockedBy, evictionTasks, cells } }: { workload: WorkloadDetailView }) {
  return (
    <div className="flex flex-col gap-4">
      <WorkloadBlockedBy blockedBy={blockedBy} />
      <Evictions workload={id} tasks={evictionTasks} />
      <EvictLinks id={id} clusters={cells.filter(({ role }) => role === 'placed').map(({ cluster }) => cluster)} />
    </div>
  )
}

/** Each leads to the plan of an eviction; nothing is done by following. */
function EvictLinks({ id, clusters }: { id: string; clusters: readonly string[] }) {
  const text = useText()
  if (clusters.length === 0) return null
  return (
    <p className="flex flex-wrap gap-2">
      {clusters.map((cluster) => (
        <Link
          key={cluster}
          href={href.failover({ action: 'evict', in: cluster, of: id })}
          className={buttonClass('secondary')}
        >
          {text('workload.evictFrom', { cluster })}
        </Link>
      ))}
    </p>
  )
}

function itemsOf(text: Text, workload: WorkloadDetailView): TabItem[] {
  const { conditions, why, timeline, evictionTasks, overrides } = workload
  return [
    {
      value: 'conditions',
      label: text('common.conditions'),
      count: conditions.length,
      content: <Conditions conditions={conditions} />,
    },
    { value: 'why', label: text('workload.why'), content: <Why why={why} cells={workload.cells} /> },
    {
      value: 'timeline',
      label: text('workload.events'),
      count: timeline.length,
      content: <Timeline entries={timeline} />,
    },
    {
      value: 'evictions',
      label: text('workload.tab.failover'),
      count: evictionTasks.length,
      content: <Failover workload={workload} />,
    },
    {
      value: 'overrides',
      label: text('workload.overrides'),
      count: overrides.length,
      content: <Overrides overrides={overrides} />,
    },
    {
      value: 'yaml',
      label: text('workload.tab.yaml'),
      content: <Manifest value={workload.bindingObject} label={text('workload.binding')} />,
    },
  ]
}
