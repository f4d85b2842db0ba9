'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { QueueDetailView } from '@/lib/view/queue-model'
import { previewHold, previewResume } from '../queue-actions/queue-api'

/** A preview is fetched again whenever the pending workloads change. */
const looksOf = ({ id, pendingWorkloads, inFlight, holdPreview }: QueueDetailView) => [
  id,
  pendingWorkloads.map((each) => each.id),
  inFlight.map((each) => each.id),
  holdPreview,
]

const OPTIONS = { staleTime: Infinity, gcTime: 0, retry: false, placeholderData: keepPreviousData }

/** What a hold would do to whom. */
export const useHoldPreview = (detail: QueueDetailView) =>
  useQuery({
    queryKey: ['hold-preview', looksOf(detail)],
    queryFn: ({ signal }) => previewHold(detail.queue, signal),
    ...OPTIONS,
  })

/** In which order a resume would release. */
export const useResumePreview = (detail: QueueDetailView, step: number | undefined) =>
  useQuery({
    queryKey: ['resume-preview', looksOf(detail), step],
    queryFn: ({ signal }) => previewResume(detail.queue, step, signal),
    ...OPTIONS,
  })
