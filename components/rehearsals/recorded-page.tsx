'use client'
import type { ReactNode } from 'react'
import type { IncidentRecord } from '@/lib/view/failover-model'
import type { RehearsalDetailView, RehearsalRecordingView } from '@/lib/view/rehearsal-model'
import { nameOfId } from '@/lib/view/workload-id'
import { href } from '../hooks/url-state'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { Trail, TRAILS } from '../shell/trail'
import { EmptyState } from '../ui/empty-state'
import { Link } from '../ui/link'
import { Notice } from '../ui/notice'
import { RetryButton } from '../ui/retry-button'
import { SkeletonRows } from '../ui/skeleton'
import { RehearsalBanner } from './rehearsal-banner'
import { isRunGone, useRecording, useRehearsal } from './use-rehearsals'

interface RecordedPageProps<T> {
  title: string
  /** Finds what the page shows; undefined if the rehearsal has none such. */
  of: (recording: RehearsalRecordingView) => T | undefined
  children: (found: T) => ReactNode
}

/** A page of something that happened in a rehearsal: marked as one, with the way back to it. */
function RecordedPage<T>({ title, of, children }: RecordedPageProps<T>) {
  const text = useText()
  const id = useUrlState().get('id') ?? ''
  const { data: detail } = useRehearsal(id)
  const recording = useRecording(id)
  const found = recording.data && of(recording.data)
  const isGone = id === '' || isRunGone(recording.error) || (recording.data !== undefined && found === undefined)
  return (
    <PageFrame
      title={<Trail parent={TRAILS.rehearsals} name={title} />}
      documentTitle={`${text('rehearsals.mark')}: ${title}`}
      plain
    >
      {isGone && (
        <EmptyState title={text('rehearsals.recorded.gone')}>
          <p>{text('rehearsals.goneHint')}</p>
          <p>
            <Link href="/rehearsals" className="link">
              {text('rehearsals.all')}
            </Link>
          </p>
        </EmptyState>
      )}
      {!isGone && <RehearsalBanner>{detail ? <Origin id={id} detail={detail} /> : null}</RehearsalBanner>}
      {recording.error && !isGone && (
        <Notice state="fail" action={<RetryButton error={recording.error} onRetry={() => void recording.refetch()} />}>
          {recording.error.message}
        </Notice>
      )}
      {recording.isPending && !isGone && <SkeletonRows label={text('rehearsals.loading')} />}
      {found !== undefined && children(found)}
    </PageFrame>
  )
}

function Origin({ id, detail: { run, result } }: { id: string; detail: RehearsalDetailView }) {
  const text = useText()
  return (
    <>
      {result && text('rehearsals.banner', { source: result.source, at: { moment: result.takenAt } })}{' '}
      <Link href={href.rehearsal(id)} className="link">
        {text('rehearsals.recorded.back', { name: run.name })}
      </Link>
    </>
  )
}

/** The incident `n` of the rehearsal. */
export function RecordedIncidentPage({ children }: { children: (record: IncidentRecord) => ReactNode }) {
  const text = useText()
  const { get } = useUrlState()
  const [cluster, workload] = [get('cluster') ?? '', get('workload')]
  return (
    <RecordedPage
      title={workload === undefined ? cluster : text('common.inCluster', { cluster, reason: nameOfId(workload) })}
      of={({ incidents }) => incidents[Number(get('n') ?? 0)]}
    >
      {children}
    </RecordedPage>
  )
}

type RecordedRun = RehearsalRecordingView['plans'][number]

/** The plan of that name in the rehearsal. */
export function RecordedPlanPage({ children }: { children: (run: RecordedRun, loadNote: string) => ReactNode }) {
  const text = useText()
  const name = useUrlState().get('name') ?? ''
  return (
    <RecordedPage title={name} of={({ plans }) => plans.find(({ plan }) => plan.name === name)}>
      {(run) => children(run, text('rehearsals.recorded.load'))}
    </RecordedPage>
  )
}
