'use client'
import { formatDuration, formatMoment } from '@/lib/format'
import type { ActivityView } from '@/lib/view/activity-model'
import { StateMark } from '../status/state-mark'
import { Drawer } from '../ui/drawer'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { ObjectLink } from './activity-table'
import { RESULT_MARKS } from './activity-words'

/** All of one act: what it changed, and by which name it is found in logs. */
export function ActDrawer({ act, onClose }: { act: ActivityView; onClose: () => void }) {
  const { state, word } = RESULT_MARKS[act.result]
  return (
    <Drawer
      open
      wide
      onClose={onClose}
      title={act.summary}
      description={
        <>
          {act.user || 'The console'}, {formatMoment(act.at)} UTC
        </>
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1" data-testid="act">
        <dt className="text-ink-2">Result</dt>
        <dd className="flex flex-wrap items-center gap-2">
          <StateMark state={state} word={word} />
          <span className="text-ink-2">
            {act.status}
            {act.reason !== undefined && ` ${act.reason}`}, in{' '}
            {act.durationMs < 1000 ? `${act.durationMs} ms` : formatDuration(act.durationMs)}
          </span>
        </dd>
        {act.detail !== undefined && (
          <>
            <dt className="text-ink-2">Because</dt>
            <dd>{act.detail}</dd>
          </>
        )}
        <dt className="text-ink-2">Object</dt>
        <dd>
          <ObjectLink object={act.object} />
        </dd>
        <dt className="text-ink-2">Login</dt>
        <dd>{act.via === 'local' ? 'none: nobody logs in here' : act.via}</dd>
        <dt className="text-ink-2">Request</dt>
        <dd className="mono break-all">{act.endpoint}</dd>
        <dt className="text-ink-2">Request id</dt>
        <dd className="mono break-all">{act.requestId}</dd>
      </dl>
      <Changes changes={act.changes} />
    </Drawer>
  )
}

function Changes({ changes }: Pick<ActivityView, 'changes'>) {
  if (changes.length === 0) return <p className="mt-6 text-ink-2">No change of the object is on record.</p>
  return (
    <section aria-label="What was changed" className="mt-6">
      <h3 className="mb-1 text-section">What was changed</h3>
      <InsetTable aria-label="Changes">
        <thead>
          <tr>
            <Th className="pl-0">Field</Th>
            <Th>Before</Th>
            <Th>After</Th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path} data-testid="change-row" data-path={path}>
              <Td className="pl-0 align-top mono whitespace-nowrap">{path || 'all'}</Td>
              <Td className="align-top mono break-all text-ink-2">{before ?? '—'}</Td>
              <Td className="align-top mono break-all">{after ?? '—'}</Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
    </section>
  )
}
