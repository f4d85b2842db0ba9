'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PolicyManifest } from '@/lib/view/lab/document'
import { type FieldEdit, readEdit } from '@/lib/view/lab/form'
import { read } from '../hooks/actions'
import { useUrlState } from '../hooks/use-url-state'
import { useText } from '../messages/use-text'
import { StateGlyph } from '../status/state-glyph'
import { Notice } from '../ui/notice'
import { RetryButton } from '../ui/retry-button'
import { SkeletonRows } from '../ui/skeleton'
import { documentPath } from '../hooks/document-path'
import { LabActions } from './lab-actions'
import { LabChecks } from './lab-checks'
import { LabForm } from './lab-form'
import { LabPicture } from './lab-picture'
import { LabProblem } from './lab-problem'
import { LaterYamlEditor } from './later-yaml-editor'
import { NewFields } from './new-fields'
import { headlineOf } from './policy-texts'
import { type Draft, type LabResult, useDraft, useLabView, useOutcome } from './use-lab'

/** The placement lab of a policy: an edit of its document, and at once what that would do. */
export function PlacementLab({ id }: { id: string }) {
  const text = useText()
  const [previous, setPrevious] = useState<string>()
  const { get } = useUrlState()
  const document = useQuery({
    queryKey: ['policy-document', id],
    queryFn: ({ signal }) => read<{ manifest: PolicyManifest }>(`${documentPath(id)}/document`, signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    retry: false,
  })
  if (document.error) {
    return (
      <Notice state="fail" action={<RetryButton error={document.error} onRetry={() => void document.refetch()} />}>
        {document.error.message}
      </Notice>
    )
  }
  if (!document.data) return <SkeletonRows label={text('policies.lab.loading')} />
  const { manifest } = document.data
  const version = String(manifest.metadata['resourceVersion'] ?? '')
  return (
    <LabOf
      key={version}
      original={manifest}
      id={id}
      previous={previous}
      proposed={previous === undefined ? readEdit(get('edit')) : undefined}
      onSaved={setPrevious}
    />
  )
}

interface LabOfProps {
  /** As the API server has it. */
  original: PolicyManifest
  /** Undefined: the policy is new. */
  id?: string
  /** The document before the last save. */
  previous?: string | undefined
  /** An edit of the placement to begin with. */
  proposed?: FieldEdit | undefined
  onSaved?: (previous: string) => void
}

const nothing = () => undefined

/** One draft: its form, its text, and the picture of what it does. */
export function LabOf({ original, id, previous, proposed, onSaved = nothing }: LabOfProps) {
  const draft = useDraft(original, proposed)
  const lab = useLabView(draft.good.manifest)
  const result = useOutcome(draft, lab.data)
  return (
    <div className="flex min-w-0 flex-col gap-4" data-testid="placement-lab" data-changed={draft.isChanged}>
      <Headline draft={draft} result={result} />
      {id === undefined && <NewFields draft={draft} lab={lab.data} />}
      {lab.error && (
        <Notice state="fail" action={<RetryButton error={lab.error} onRetry={() => void lab.refetch()} />}>
          {lab.error.message}
        </Notice>
      )}
      {lab.data && <LabProblem draft={draft} lab={lab.data} result={result} />}
      {/* Where three columns do not fit, the picture keeps its width beside the form and the text below it. */}
      <div className="grid min-w-0 gap-x-6 gap-y-6 wide:grid-cols-[minmax(16rem,21rem)_minmax(0,1fr)] wide:grid-rows-[auto_1fr] min-[88rem]:grid-cols-[minmax(13rem,15rem)_minmax(18rem,24rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <LabForm draft={draft} />
          <LabChecks result={result} />
        </div>
        <LaterYamlEditor draft={draft} />
        <div className="min-w-0 wide:sticky wide:top-4 wide:self-start wide:col-start-2 wide:row-span-2 wide:row-start-1 min-[88rem]:col-start-3 min-[88rem]:row-span-1">
          <LabPicture draft={draft} result={result} lab={lab.data} />
        </div>
      </div>
      <LabActions draft={draft} id={id} result={result} previous={previous} onSaved={onSaved} />
    </div>
  )
}

/** What the edit does, in one sentence; it is read out when it changes. */
function Headline({ draft, result: { outcome } }: { draft: Draft; result: LabResult }) {
  const text = useText()
  return (
    <div
      aria-live="polite"
      data-testid="lab-headline"
      data-moved={outcome?.moved}
      data-moved-by-saving={outcome?.movedBySaving}
    >
      <p className="flex items-center gap-2 text-title">
        {draft.problem && <StateGlyph state="fail" />}
        {outcome ? headlineOf(text, outcome) : text('policies.lab.computing')}
      </p>
      {outcome && (
        <p className="text-ink-2">{text('policies.lab.computed', { workloads: outcome.workloads.length })}</p>
      )}
    </div>
  )
}
