'use client'
import { useMemo } from 'react'
import type { Text } from '@/lib/messages'
import { type ActivityView, objectPath } from '@/lib/view/activity-model'
import type { Sorts } from '../hooks/sorting'
import { useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { objectHref, RESULT_STATES } from './activity-words'

const COLUMNS = 5

const sortsOf = (text: Text): Sorts<ActivityView> => ({
  when: ({ at }) => at,
  who: ({ user }) => user,
  what: ({ summary }) => text.of(summary),
  object: ({ object }) => object && objectPath(object),
  result: ({ result }) => text(`activity.result.${result}`),
})

/** Entries, the latest first unless sorted otherwise. */
export function ActivityTable({ entries }: { entries: readonly ActivityView[] }) {
  const text = useText()
  const sorts = useMemo(() => sortsOf(text), [text])
  const { rows, head } = useSorting(entries, sorts)
  return (
    <Table pinLast aria-label={text('shell.section.activity')}>
      <ListHead>
        <Th className="pl-6" sort={head('when')}>
          {text('activity.when')}
        </Th>
        <Th sort={head('who')}>{text('activity.user')}</Th>
        <Th sort={head('what')}>{text('activity.action')}</Th>
        <Th sort={head('object')}>{text('activity.object')}</Th>
        <Th className="pr-6" sort={head('result')}>
          {text('activity.result')}
        </Th>
      </ListHead>
      <VirtualBody items={rows} columns={COLUMNS} render={(entry) => <EntryRow key={entry.id} entry={entry} />} />
    </Table>
  )
}

function EntryRow({ entry }: { entry: ActivityView }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  return (
    <tr
      className="row-hover"
      data-testid="activity-row"
      data-entry={entry.id}
      data-user={entry.user}
      data-result={entry.result}
    >
      <Td className="pl-6 whitespace-nowrap" title={text('common.moment', { time: { moment: entry.at } })}>
        <Ago time={entry.at} />
      </Td>
      <Td className="max-w-56 truncate">
        <User entry={entry} />
      </Td>
      <Td className="max-w-96 truncate">
        <Link href={hrefWith({ entry: entry.id })} className="font-medium hover:underline" title={entry.endpoint}>
          {text.of(entry.summary)}
        </Link>
      </Td>
      <Td className="max-w-72 truncate">
        <ObjectLink object={entry.object} />
      </Td>
      <Td className="w-full max-w-0 min-w-56 pr-6">
        <span className="flex items-center gap-2">
          <StateMark state={RESULT_STATES[entry.result]} word={text(`activity.result.${entry.result}`)} />
          {entry.detail !== undefined && <CutText text={text.of(entry.detail)} className="text-ink-2" />}
        </span>
      </Td>
    </tr>
  )
}

/** The user; the link narrows the list to their actions. */
function User({ entry: { user, via } }: { entry: ActivityView }) {
  const text = useText()
  const { hrefWith } = useUrlState()
  if (user === '') return <span className="text-ink-2">{text('activity.console')}</span>
  return (
    <Link
      href={hrefWith({ q: `user=${user}` })}
      className="hover:underline"
      title={via === 'local' ? text('activity.noLogin') : text('activity.via', { via })}
    >
      {user}
    </Link>
  )
}

export function ObjectLink({ object }: { object: ActivityView['object'] }) {
  if (object === undefined) return <span className="text-ink-2">—</span>
  const address = objectHref(object)
  const text = objectPath(object)
  if (address === undefined) return <span title={text}>{text}</span>
  return (
    <Link href={address} className="hover:underline" title={text}>
      {text}
    </Link>
  )
}
