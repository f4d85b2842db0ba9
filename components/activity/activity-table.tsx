'use client'
import { formatMoment } from '@/lib/format'
import { type ActivityView, objectPath } from '@/lib/view/activity-model'
import type { Sorts } from '../hooks/sorting'
import { useSorting } from '../hooks/use-sorting'
import { useUrlState } from '../hooks/use-url-state'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { Link } from '../ui/link'
import { CutText } from '../ui/cut-text'
import { ListHead, Table, Td, Th } from '../ui/table'
import { VirtualBody } from '../ui/virtual-body'
import { objectHref, RESULT_MARKS } from './activity-words'

const COLUMNS = 5

const SORTS: Sorts<ActivityView> = {
  when: ({ at }) => at,
  who: ({ user }) => user,
  what: ({ summary }) => summary,
  object: ({ object }) => object && objectPath(object),
  result: ({ result }) => RESULT_MARKS[result].word,
}

/** Acts, the latest first unless sorted otherwise. */
export function ActivityTable({ acts }: { acts: readonly ActivityView[] }) {
  const { rows, head } = useSorting(acts, SORTS)
  return (
    <Table pinLast aria-label="Activity">
      <ListHead>
        <Th className="pl-6" sort={head('when')}>When</Th>
        <Th sort={head('who')}>Who</Th>
        <Th sort={head('what')}>What</Th>
        <Th sort={head('object')}>Object</Th>
        <Th className="pr-6" sort={head('result')}>Result</Th>
      </ListHead>
      <VirtualBody items={rows} columns={COLUMNS} render={(act) => <ActRow key={act.id} act={act} />} />
    </Table>
  )
}

function ActRow({ act }: { act: ActivityView }) {
  const { hrefWith } = useUrlState()
  const { state, word } = RESULT_MARKS[act.result]
  return (
    <tr className="row-hover" data-testid="act-row" data-act={act.id} data-user={act.user} data-result={act.result}>
      <Td className="pl-6 whitespace-nowrap" title={`${formatMoment(act.at)} UTC`}>
        <Ago time={act.at} />
      </Td>
      <Td className="max-w-56 truncate">
        <Who act={act} />
      </Td>
      <Td className="max-w-96 truncate">
        <Link href={hrefWith({ act: act.id })} className="font-medium hover:underline" title={act.endpoint}>
          {act.summary}
        </Link>
      </Td>
      <Td className="max-w-72 truncate">
        <ObjectLink object={act.object} />
      </Td>
      <Td className="w-full max-w-0 min-w-56 pr-6">
        <span className="flex items-center gap-2">
          <StateMark state={state} word={word} />
          {act.detail !== undefined && (
            <CutText text={act.detail} className="text-ink-2" />
          )}
        </span>
      </Td>
    </tr>
  )
}

/** The user, who narrows the list to their acts. */
function Who({ act: { user, via } }: { act: ActivityView }) {
  const { hrefWith } = useUrlState()
  if (user === '') return <span className="text-ink-2">the console</span>
  return (
    <Link
      href={hrefWith({ q: `user=${user}` })}
      className="hover:underline"
      title={via === 'local' ? 'Nobody logs in here' : `By ${via}`}
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
