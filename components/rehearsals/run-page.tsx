'use client'
import { useState } from 'react'
import { isUnderWay, type RehearsalDetailView, type RehearsalView } from '@/lib/view/rehearsal-model'
import { withChanges } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { StateGlyph } from '../status/state-glyph'
import { ActionError } from '../ui/action-error'
import { Button, buttonClass } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { RetryButton } from '../ui/retry-button'
import { SkeletonRows } from '../ui/skeleton'
import { RehearsalBanner } from './rehearsal-banner'
import { Result } from './result'
import { isRunGone, useRehearsal, useRemoveRehearsal } from './use-rehearsals'
import { headlineOf, stateOf } from './words'

/** One rehearsal: how far it is, and what it has shown. */
export function RunPage() {
  const text = useText()
  const id = useUrlState().get('id') ?? ''
  const { data, error, isPending, refetch } = useRehearsal(id)
  const isGone = id === '' || isRunGone(error)
  const name = data?.run.name ?? text('rehearsals.mark')
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rehearsals} name={name} />}
      documentTitle={`${text('rehearsals.mark')}: ${name}`}
      actions={data && <Actions run={data.run} />}
      plain
    >
      {isGone && (
        <EmptyState title={text('rehearsals.gone')}>
          <p>{text('rehearsals.goneHint')}</p>
          <p>
            <Link href="/rehearsals" className="link">
              {text('rehearsals.all')}
            </Link>
          </p>
        </EmptyState>
      )}
      {error && !isGone && (
        <Notice state="fail" action={<RetryButton error={error} onRetry={() => void refetch()} />}>
          {error.message}
        </Notice>
      )}
      {isPending && !isGone && <SkeletonRows label={text('rehearsals.loading')} />}
      {data && !isGone && <Run detail={data} />}
    </PageFrame>
  )
}

function Actions({ run }: { run: RehearsalView }) {
  const text = useText()
  const remove = useRemoveRehearsal()
  const [error, setError] = useState<Error>()
  return (
    <>
      <ActionError error={error} />
      {isUnderWay(run) && (
        <Button onClick={() => void remove(run.id).catch(setError)}>{text('rehearsals.cancel')}</Button>
      )}
      <Link href={withChanges('/rehearsals', '', { from: run.id })} className={buttonClass()}>
        {text('rehearsals.again')}
      </Link>
    </>
  )
}

function Run({ detail: { run, result } }: { detail: RehearsalDetailView }) {
  const text = useText()
  const at = result && { source: result.source, at: { moment: result.takenAt } }
  return (
    <>
      <RehearsalBanner>{at ? text('rehearsals.banner', at) : text('rehearsals.bannerNew')}</RehearsalBanner>
      <div className="flex min-w-0 flex-col gap-4 px-6 py-4 max-wide:px-4">
        <output
          className="flex items-start gap-2 text-[24px] leading-8 font-semibold"
          data-testid="rehearsal-headline"
          data-state={run.state}
          data-holding={run.verdict?.holding}
          data-failing={run.verdict?.failing}
        >
          <span className="flex h-8 items-center">
            <StateGlyph state={stateOf(run).state} size={20} />
          </span>
          <span className="min-w-0 break-words">{headlineOf(text, run)}</span>
        </output>
        {run.description !== undefined && <p className="max-w-4xl break-words">{run.description}</p>}
        {run.state === 'running' && (
          <progress
            aria-label={text('rehearsals.progress')}
            max={run.durationMs}
            value={run.progress?.phase === 'running' ? run.progress.atMs : 0}
            className="h-2 w-full max-w-xl"
          />
        )}
        {run.problems.length > 0 && (
          <ul className="list-disc pl-5" data-testid="rehearsal-problems">
            {run.problems.map((problem, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- problems have no other identity
              <li key={index} className="break-words">
                {text.of(problem)}
              </li>
            ))}
          </ul>
        )}
        {result && <Result run={run} result={result} />}
      </div>
    </>
  )
}
