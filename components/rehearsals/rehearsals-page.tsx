'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isUnderWay, type RehearsalDetailView, type RehearsalView } from '@/lib/view/rehearsal-model'
import { read } from '../hooks/actions'
import { href } from '../hooks/url-state'
import { useCollection } from '../hooks/use-collection'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { PageFrame } from '../shell/page-frame'
import { Ago } from '../status/ago'
import { StateMark } from '../status/state-mark'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { InsetTable } from '../ui/inset-table'
import { NameLink } from '../ui/name-link'
import { Notice } from '../ui/notice'
import { RetryButton } from '../ui/retry-button'
import { SkeletonRows } from '../ui/skeleton'
import { Td, Th } from '../ui/table'
import { LaterComposer } from './later-composer'
import { RehearsalBanner } from './rehearsal-banner'
import { useRehearsals, useRemoveRehearsal } from './use-rehearsals'
import { headlineOf, stateOf } from './words'

/** The rehearsals of the user, and a form for another one. */
export function RehearsalsPage() {
  const text = useText()
  const clusters = useCollection('clusters')
  const list = useRehearsals()
  const { get } = useUrlState()
  const from = get('from')
  const earlier = useEarlier(from)
  const isReady = clusters.loaded && (from === undefined || !earlier.isPending)
  return (
    <PageFrame title={text('rehearsals.title')} freshness={clusters.freshness} loaded={clusters.loaded}>
      <RehearsalBanner>{text('rehearsals.bannerNew')}</RehearsalBanner>
      {list.error && (
        <Notice state="fail" action={<RetryButton error={list.error} onRetry={() => void list.refetch()} />}>
          {list.error.message}
        </Notice>
      )}
      {list.isPending && <SkeletonRows label={text('rehearsals.loading')} />}
      {list.data && (
        <div className="flex flex-col gap-6 px-6 py-4 max-wide:px-4">
          <RunTable runs={list.data.rehearsals} />
          {isReady && (
            <LaterComposer
              key={`${from} ${get('lose')}`}
              clusters={clusters.items.map(({ name }) => name)}
              lost={get('lose')?.split(',').filter(Boolean)}
              earlier={earlier.data?.scenario}
            />
          )}
          <p className="text-ink-2">{text('rehearsals.limits', list.data.limits)}</p>
        </div>
      )}
    </PageFrame>
  )
}

/** The scenario to begin with, where the address names a rehearsal. */
const useEarlier = (id: string | undefined) =>
  useQuery({
    queryKey: ['rehearsals', id],
    queryFn: ({ signal }) => read<RehearsalDetailView>(`/api/v1/rehearsals/${encodeURIComponent(id ?? '')}`, signal),
    enabled: id !== undefined,
    retry: false,
  })

function RunTable({ runs }: { runs: readonly RehearsalView[] }) {
  const text = useText()
  if (runs.length === 0) return <p className="text-ink-2">{text('rehearsals.list.empty')}</p>
  return (
    <InsetTable aria-label={text('rehearsals.list.label')} data-testid="rehearsals">
      <thead>
        <tr>
          <Th className="pl-0">{text('rehearsals.list.name')}</Th>
          <Th>{text('rehearsals.list.state')}</Th>
          <Th>{text('rehearsals.list.outcome')}</Th>
          <Th>{text('rehearsals.list.created')}</Th>
          <Th>
            <span className="sr-only">{text('rehearsals.remove')}</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </tbody>
    </InsetTable>
  )
}

function RunRow({ run }: { run: RehearsalView }) {
  const text = useText()
  const { state, code } = stateOf(run)
  return (
    <tr data-testid="rehearsal" data-state={run.state}>
      <Td className="max-w-64 pl-0">
        <NameLink href={href.rehearsal(run.id)} name={run.name} />
      </Td>
      <Td className="whitespace-nowrap">
        <StateMark state={state} word={text(code)} />
      </Td>
      <Td>{headlineOf(text, run)}</Td>
      <Td className="whitespace-nowrap">
        <Ago time={run.createdAt} />
      </Td>
      <Td>
        <RemoveButton run={run} />
      </Td>
    </tr>
  )
}

function RemoveButton({ run }: { run: RehearsalView }) {
  const text = useText()
  const remove = useRemoveRehearsal()
  const [error, setError] = useState<Error>()
  const code = isUnderWay(run) ? 'rehearsals.cancelNamed' : 'rehearsals.removeNamed'
  return (
    <>
      <Button
        small
        variant="quiet"
        aria-label={text(code, { name: run.name })}
        onClick={() => void remove(run.id).catch(setError)}
      >
        {text(isUnderWay(run) ? 'rehearsals.cancel' : 'rehearsals.remove')}
      </Button>
      <ActionError error={error} />
    </>
  )
}
