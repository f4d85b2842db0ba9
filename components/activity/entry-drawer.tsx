'use client'
import type { ActivityView } from '@/lib/view/activity-model'
import { useText } from '../messages/use-text'
import { StateMark } from '../status/state-mark'
import { Drawer } from '../ui/drawer'
import { InsetTable } from '../ui/inset-table'
import { Td, Th } from '../ui/table'
import { ObjectLink } from './activity-table'
import { RESULT_STATES } from './activity-words'

/** One entry of the activity log: what it changed, and by which id it is found in logs. */
export function EntryDrawer({ entry, onClose }: { entry: ActivityView; onClose: () => void }) {
  const text = useText()
  const { status, reason = '', durationMs } = entry
  const duration = durationMs < 1000 ? `${durationMs} ms` : text.format.duration(durationMs)
  return (
    <Drawer
      open
      wide
      onClose={onClose}
      title={text.of(entry.summary)}
      description={text('activity.byAt', {
        user: entry.user || text('activity.console'),
        time: text('common.moment', { time: { moment: entry.at } }),
      })}
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1" data-testid="activity-entry">
        <dt className="text-ink-2">{text('activity.result')}</dt>
        <dd className="flex flex-wrap items-center gap-2">
          <StateMark state={RESULT_STATES[entry.result]} word={text(`activity.result.${entry.result}`)} />
          <span className="text-ink-2">
            {text('activity.answer', { answer: `${status} ${reason}`.trimEnd(), duration })}
          </span>
        </dd>
        {entry.detail !== undefined && (
          <>
            <dt className="text-ink-2">{text('activity.detail')}</dt>
            <dd>{text.of(entry.detail)}</dd>
          </>
        )}
        <dt className="text-ink-2">{text('activity.object')}</dt>
        <dd>
          <ObjectLink object={entry.object} />
        </dd>
        <dt className="text-ink-2">{text('activity.login')}</dt>
        <dd>{entry.via === 'local' ? text('activity.noLogin') : entry.via}</dd>
        {entry.reported && (
          <>
            <dt className="text-ink-2">{text('activity.source')}</dt>
            <dd>{text('activity.reported')}</dd>
          </>
        )}
        <dt className="text-ink-2">{text('activity.request')}</dt>
        <dd className="mono break-all">{entry.endpoint}</dd>
        <dt className="text-ink-2">{text('activity.requestId')}</dt>
        <dd className="mono break-all">{entry.requestId}</dd>
      </dl>
      <Changes changes={entry.changes} />
    </Drawer>
  )
}

function Changes({ changes }: Pick<ActivityView, 'changes'>) {
  const text = useText()
  if (changes.length === 0) return <p className="mt-6 text-ink-2">{text('activity.noChanges')}</p>
  if (changes.some(({ withheld }) => withheld)) return <p className="mt-6 text-ink-2">{text('activity.withheld')}</p>
  return (
    <section aria-label={text('activity.changes')} className="mt-6">
      <h3 className="mb-1 text-section">{text('activity.changes')}</h3>
      <InsetTable aria-label={text('activity.changes')}>
        <thead>
          <tr>
            <Th className="pl-0">{text('activity.field')}</Th>
            <Th>{text('activity.before')}</Th>
            <Th>{text('activity.after')}</Th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path} data-testid="change-row" data-path={path}>
              <Td className="pl-0 align-top mono whitespace-nowrap">{path || text('activity.wholeObject')}</Td>
              <Td className="align-top mono break-all text-ink-2">{before ?? '—'}</Td>
              <Td className="align-top mono break-all">{after ?? '—'}</Td>
            </tr>
          ))}
        </tbody>
      </InsetTable>
    </section>
  )
}
