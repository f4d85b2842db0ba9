'use client'
import { useMemo } from 'react'
import { type ActivityQuery, activityResults, type ActivityView } from '@/lib/view/activity-model'
import { activityAddress } from '../hooks/actions'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { useNow } from '../hooks/use-now'
import { useUrlState } from '../hooks/use-url-state'
import { AreaTexts } from '../messages/area-texts'
import { Rich } from '../messages/rich'
import { useText } from '../messages/use-text'
import { describeQuery, UnreadNotes } from '../shell/list-body'
import { ListFrame } from '../shell/list-page'
import { Button, buttonClass } from '../ui/button'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { ActivityTable } from './activity-table'
import { activityQueryOf, parseResult } from './activity-words'
import { useActivity } from './use-activity'

const EntryDrawer = laterPart(() => import('./entry-drawer').then((code) => code.EntryDrawer))

/** Who did what to which object, and with which result. */
export function ActivityPage() {
  return (
    <AreaTexts area="activity">
      <Activity />
    </AreaTexts>
  )
}

function Activity() {
  const text = useText()
  const url = useUrlState()
  const { query, unknown } = useQuestion()
  const activity = useActivity(query)
  const calm = useCalm()
  const held = useHeldRows(activity.entries, JSON.stringify(query), calm.attended)
  const open = activity.entries.find(({ id }) => id === url.get('entry'))
  return (
    <ListFrame
      title={text('shell.section.activity')}
      list={{ ...held, freshness: activity.freshness, loaded: activity.data !== undefined }}
      filterHint={text('activity.filterHint')}
      links={
        <a
          href={activityAddress({ ...query, limit: '500' })}
          download="evenkeel-activity.json"
          className={buttonClass('secondary')}
        >
          {text('activity.export')}
        </a>
      }
      subline={
        <>
          <ResultLinks shown={activity.entries.length} remaining={activity.remaining} />
          {activity.ownOnly && <span className="text-ink-2">{text('activity.ownOnly')}</span>}
        </>
      }
    >
      {unknown.length > 0 && <Notice state="warn">{text('activity.unknownFilter', { terms: unknown })}</Notice>}
      <UnreadNotes unread={activity.unread} />
      <div {...calm.regionProps}>
        <Body activity={activity} rows={held.rows} query={query} />
      </div>
      {open && <EntryDrawer entry={open} onClose={() => url.navigate({ entry: undefined })} />}
    </ListFrame>
  )
}

function useQuestion(): { query: ActivityQuery; unknown: string[] } {
  const { get } = useUrlState()
  const now = useNow()
  const minute = Math.floor(now / 60_000) * 60_000
  const [filter, result] = [get('q') ?? '', parseResult(get('result'))]
  return useMemo(() => {
    const asked = activityQueryOf(filter, minute)
    return { ...asked, query: { ...asked.query, ...(result && { result }) } }
  }, [filter, result, minute])
}

/** Results: each narrows the list, and the chosen one links back to all. */
function ResultLinks({ shown, remaining }: { shown: number; remaining: number }) {
  const text = useText()
  const url = useUrlState()
  const chosen = parseResult(url.get('result'))
  return (
    <nav aria-label={text('activity.byResult')} className="ml-2 flex flex-wrap items-center gap-x-4">
      {activityResults.map((result) => (
        <Link
          key={result}
          href={url.hrefWith({ result: chosen === result ? undefined : result })}
          aria-current={chosen === result ? 'true' : undefined}
          className={chosen === result ? 'font-medium underline' : 'text-ink-2 hover:text-ink hover:underline'}
        >
          {text(`activity.result.${result}`)}
        </Link>
      ))}
      <span className="text-ink-2">
        {remaining > 0 ? text('activity.latest', { shown, all: shown + remaining }) : text('activity.count', { shown })}
      </span>
    </nav>
  )
}

function Body({
  activity,
  rows,
  query,
}: {
  activity: ReturnType<typeof useActivity>
  rows: readonly ActivityView[]
  query: ActivityQuery
}) {
  const text = useText()
  const { error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, data } = activity
  if (isPending) return <SkeletonRows label={text('activity.loading')} />
  if (error && data === undefined) {
    return (
      <EmptyState title={text('activity.unavailable')}>
        <p>{error.message}</p>
        <p>
          <RetryButton error={error} onRetry={() => void refetch()} />
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      {error && <Notice state="warn">{text('activity.stale', { error: error.message })}</Notice>}
      {rows.length === 0 ? <Nothing query={query} /> : <ActivityTable entries={rows} />}
      {hasNextPage && (
        <p className="px-6 py-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text(isFetchingNextPage ? 'activity.loading' : 'activity.showOlder')}
          </Button>
        </p>
      )}
    </>
  )
}

function Nothing({ query }: { query: ActivityQuery }) {
  const text = useText()
  const url = useUrlState()
  const asked = describeQuery(...Object.entries(query).map(([name, value]) => `${name}=${value}`))
  if (asked === '') {
    return (
      <EmptyState title={text('activity.none')}>
        <p>{text('activity.noneBody')}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={text('activity.noMatch')}>
      <p>
        <Rich code="activity.noMatchFor" parts={{ query: <span className="mono">{asked}</span> }} />{' '}
        <Link href={url.hrefWith({ q: undefined, result: undefined })} className="link">
          {text('common.showAll')}
        </Link>
      </p>
    </EmptyState>
  )
}
