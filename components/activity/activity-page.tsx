'use client'
import { useMemo } from 'react'
import { formatCount, formatNumberOf } from '@/lib/format'
import { type ActivityQuery, activityResults, type ActivityView } from '@/lib/view/activity-model'
import { activityAddress } from '../hooks/actions'
import { useCalm } from '../hooks/use-calm'
import { useHeldRows } from '../hooks/use-held-rows'
import { useNow } from '../hooks/use-now'
import { useUrlState } from '../hooks/use-url-state'
import { FilterField } from '../shell/filter-field'
import { describeQuery } from '../shell/list-body'
import { PageFrame } from '../shell/page-frame'
import { WaitingChanges } from '../shell/waiting-changes'
import { Button, buttonClass } from '../ui/button'
import { RetryButton } from '../ui/retry-button'
import { EmptyState } from '../ui/empty-state'
import { laterPart } from '../ui/later-part'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { SkeletonRows } from '../ui/skeleton'
import { ActivityTable } from './activity-table'
import { activityQueryOf, parseResult, RESULT_MARKS } from './activity-words'
import { useActivity } from './use-activity'

const ActDrawer = laterPart(() => import('./act-drawer').then((code) => code.ActDrawer))

/** Who did what, to which object, and what came of it. */
export function ActivityPage() {
  const url = useUrlState()
  const { query, unknown } = useQuestion()
  const activity = useActivity(query)
  const calm = useCalm()
  const held = useHeldRows(activity.acts, JSON.stringify(query), calm.attended)
  const open = activity.acts.find(({ id }) => id === url.get('act'))
  return (
    <PageFrame
      title="Activity"
      {...(activity.freshness && { freshness: activity.freshness })}
      loaded={activity.data !== undefined}
      actions={
        <>
          <a
            href={activityAddress({ ...query, limit: '500' })}
            download="evenkeel-activity.json"
            className={buttonClass('secondary')}
          >
            Export
          </a>
          <FilterField hint="Filter: object, user=, since=2h" />
        </>
      }
      subline={
        <>
          <ResultLinks shown={activity.acts.length} remaining={activity.remaining} />
          {activity.ownOnly && (
            <span className="text-ink-2">
              Your own acts: for those of others your account would have to list Events.
            </span>
          )}
          <WaitingChanges count={held.waiting} onRelease={held.release} />
        </>
      }
    >
      {unknown.length > 0 && (
        <Notice state="warn">
          The filter does not know {unknown.join(', ')}; it takes user=, object= and since=15m, 2h or 7d.
        </Notice>
      )}
      <div {...calm.regionProps}>
        <Body activity={activity} rows={held.rows} query={query} />
      </div>
      {open && <ActDrawer act={open} onClose={() => url.navigate({ act: undefined })} />}
    </PageFrame>
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

/** What came of them: each narrows the list, and the one that is chosen lifts that again. */
function ResultLinks({ shown, remaining }: { shown: number; remaining: number }) {
  const url = useUrlState()
  const chosen = parseResult(url.get('result'))
  return (
    <nav aria-label="What came of it" className="ml-2 flex flex-wrap items-center gap-x-4">
      {activityResults.map((result) => (
        <Link
          key={result}
          href={url.hrefWith({ result: chosen === result ? undefined : result })}
          aria-current={chosen === result ? 'true' : undefined}
          className={chosen === result ? 'font-medium underline' : 'text-ink-2 hover:text-ink hover:underline'}
        >
          {RESULT_MARKS[result].word}
        </Link>
      ))}
      <span className="text-ink-2">
        {remaining > 0
          ? `the latest ${formatCount(shown)} of ${formatCount(shown + remaining)}`
          : formatNumberOf(shown, 'act')}
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
  const { error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch, data } = activity
  if (isPending) return <SkeletonRows label="Reading who did what" />
  if (error && data === undefined) {
    return (
      <EmptyState title="The activity cannot be shown now">
        <p>{error.message}</p>
        <p>
          <RetryButton error={error} onRetry={() => void refetch()} />
        </p>
      </EmptyState>
    )
  }
  return (
    <>
      {error && <Notice state="warn">This is what was known before; asking again failed: {error.message}</Notice>}
      {rows.length === 0 ? <Nothing query={query} /> : <ActivityTable acts={rows} />}
      {hasNextPage && (
        <p className="px-6 py-3">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Reading…' : 'Show older'}
          </Button>
        </p>
      )}
    </>
  )
}

function Nothing({ query }: { query: ActivityQuery }) {
  const url = useUrlState()
  const asked = describeQuery(...Object.entries(query).map(([name, value]) => `${name}=${value}`))
  if (asked === '') {
    return (
      <EmptyState title="Nothing was done yet">
        <p>
          Every action through this console and its API is shown here, also those that were refused. You see your own,
          and those on objects whose Events you may list.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title="No act matches">
      <p>
        Nothing matches <span className="mono">{asked}</span>.{' '}
        <Link href={url.hrefWith({ q: undefined, result: undefined })} className="link">
          Show all
        </Link>
      </p>
    </EmptyState>
  )
}
