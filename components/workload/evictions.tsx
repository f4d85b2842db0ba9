'use client'
import type { EvictionTaskView } from '@/lib/view/model'
import { href } from '../hooks/url-state'
import { useNow } from '../hooks/use-now'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Link } from '../ui/link'
import { Td, Th } from '../ui/table'

/** Copies that are kept until their replacements are healthy, or their time is over. */
export function Evictions({ workload, tasks }: { workload: string; tasks: readonly EvictionTaskView[] }) {
  const text = useText()
  if (tasks.length === 0) return <p className="text-ink-2">{text('workload.evictionsEmpty')}</p>
  return (
    <InsetTable aria-label={text('workload.evictions')}>
      <thead>
        <tr>
          <Th className="pl-0">{text('workload.eviction.from')}</Th>
          <Th figure>{text('workload.eviction.replicas')}</Th>
          <Th>{text('workload.eviction.reason')}</Th>
          <Th>{text('workload.eviction.producer')}</Th>
          <Th figure>{text('workload.eviction.started')}</Th>
          <Th>{text('workload.eviction.ends')}</Th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr
            key={`${task.fromCluster} ${task.createdAt}`}
            className="align-top"
            data-testid="eviction-task"
            data-cluster={task.fromCluster}
          >
            <Td className="py-1 pl-0 font-medium">
              {task.fromCluster}{' '}
              <Link href={href.incident({ cluster: task.fromCluster, workload })} className="link font-normal">
                {text('failover.timeline')}
              </Link>
            </Td>
            <Td figure className="py-1">
              {task.replicas ?? '—'}
            </Td>
            <Td className="py-1">
              {task.reason}
              {task.message && <p className="text-ink-2">{task.message}</p>}
            </Td>
            <Td className="py-1">{task.producer}</Td>
            <Td figure className="py-1">
              <Ago time={task.createdAt} absent={text('workload.eviction.notStarted')} />
            </Td>
            <Td className="py-1">
              <EvictionEnd task={task} />
            </Td>
          </tr>
        ))}
      </tbody>
    </InsetTable>
  )
}

/** A countdown in words; it ends earlier when the replacement is healthy. */
function EvictionEnd({ task }: { task: EvictionTaskView }) {
  const text = useText()
  const now = useNow()
  if (task.suppressDeletion === true) return <StateMark state="held" word={text('workload.eviction.kept')} />
  if (task.gracePeriodSeconds === undefined || task.createdAt === undefined || now === 0) {
    return <StateMark state="active" word={text('workload.eviction.whenHealthy')} />
  }
  const left = Date.parse(task.createdAt) + task.gracePeriodSeconds * 1000 - now
  const word =
    left > 0 ? text('workload.eviction.whenHealthyOr', { left: { ms: left } }) : text('workload.eviction.overdue')
  return <StateMark state="active" word={word} />
}
