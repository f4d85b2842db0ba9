'use client'
import { formatDuration } from '@/lib/format'
import type { EvictionTaskView } from '@/lib/view/model'
import { useNow } from '../hooks/use-now'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'

/** Copies that are kept until their replacements are healthy, or their time is over. */
export function Evictions({ tasks }: { tasks: readonly EvictionTaskView[] }) {
  if (tasks.length === 0) return <p className="text-ink-2">Nothing is being evicted.</p>
  return (
    <InsetTable aria-label="Eviction tasks">
      <thead>
        <tr>
          <Th className="pl-0">From</Th>
          <Th figure>Replicas</Th>
          <Th>Why</Th>
          <Th>By</Th>
          <Th figure>Began</Th>
          <Th>Ends</Th>
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
            <Td className="py-1 pl-0 font-medium">{task.fromCluster}</Td>
            <Td figure className="py-1">
              {task.replicas ?? '—'}
            </Td>
            <Td className="py-1">
              {task.reason}
              {task.message && <p className="text-ink-2">{task.message}</p>}
            </Td>
            <Td className="py-1">{task.producer}</Td>
            <Td figure className="py-1">
              <Ago time={task.createdAt} absent="not yet" />
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
  const now = useNow()
  if (task.suppressDeletion === true) return <StateMark state="held" word="Kept until somebody releases it" />
  if (task.gracePeriodSeconds === undefined || task.createdAt === undefined || now === 0) {
    return <StateMark state="active" word="When the replacement is healthy" />
  }
  const left = Date.parse(task.createdAt) + task.gracePeriodSeconds * 1000 - now
  const word = left > 0 ? `When the replacement is healthy, at most in ${formatDuration(left)}` : 'Its time is over'
  return <StateMark state="active" word={word} />
}
