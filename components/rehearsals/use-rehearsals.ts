'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  isUnderWay,
  type RehearsalDetailView,
  type RehearsalRecordingView,
  type RehearsalsView,
} from '@/lib/view/rehearsal-model'
import { ActionFailure, order, read } from '../hooks/actions'

const PATH = '/api/v1/rehearsals'
/** While one is under way it is asked for this often. */
const EVERY_MS = 1000

const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`

/** Refused and deleted rehearsals are not requested again. */
const isFinal = (error: Error): boolean => error instanceof ActionFailure && [403, 404].includes(error.code)

export function useRehearsals() {
  return useQuery({
    queryKey: ['rehearsals'],
    queryFn: ({ signal }) => read<RehearsalsView>(PATH, signal),
    retry: false,
    refetchInterval: ({ state: { data } }) => (data?.rehearsals.some(isUnderWay) ? EVERY_MS : false),
  })
}

export function useRehearsal(id: string) {
  return useQuery({
    queryKey: ['rehearsals', id],
    queryFn: ({ signal }) => read<RehearsalDetailView>(pathOf(id), signal),
    enabled: id !== '',
    retry: false,
    refetchInterval: ({ state: { data, error } }) =>
      (error ? !isFinal(error) : data && isUnderWay(data.run)) ? EVERY_MS : false,
  })
}

export const isRunGone = (error: Error | null): boolean => error instanceof ActionFailure && error.code === 404

/** Incidents and plans of a completed rehearsal, which do not change. */
export function useRecording(id: string) {
  return useQuery({
    queryKey: ['rehearsals', id, 'recording'],
    queryFn: ({ signal }) => read<RehearsalRecordingView>(`${pathOf(id)}/recording`, signal),
    enabled: id !== '',
    retry: false,
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** Cancels a rehearsal that is under way, and removes one that is not. */
export function useRemoveRehearsal() {
  const queries = useQueryClient()
  return async (id: string): Promise<void> => {
    await order(pathOf(id), undefined, { method: 'DELETE' })
    await queries.invalidateQueries({ queryKey: ['rehearsals'] })
  }
}
