'use client'
import { useQuery } from '@tanstack/react-query'
import { ask as send } from './actions'
import { batchQuestions, type Question, type Verdict } from './question-batch'

/** Rights change seldom; after this time a question is asked again when somebody comes back to it. */
const STALE_MS = 30_000

export interface Right {
  /** True also while nothing is known: the server decides in any case, a button only saves the attempt. */
  allowed: boolean
  /** Why not, for people. */
  reason?: string
  known: boolean
}

/** What the query cache holds rights under; invalidate it when the server refuses something that was offered. */
export const ACCESS_KEY = ['access'] as const

/** Whether the reader may do something, as the API server decides it. Questions of one moment are asked together. */
export function useCan(question: Question): Right {
  const { data } = useQuery({ queryKey: [...ACCESS_KEY, question], queryFn: () => ask(question), staleTime: STALE_MS, retry: false })
  if (data === undefined) return { allowed: true, known: false }
  return { allowed: data.allowed, known: true, ...(!data.allowed && { reason: data.reason }) }
}

const ask = batchQuestions(askServer, (send) => void setTimeout(send, 0))

/** POST /api/v1/access. */
async function askServer(questions: Question[]): Promise<Verdict[]> {
  return (await send<{ verdicts: Verdict[] }>('/api/v1/access', { questions })).verdicts
}
