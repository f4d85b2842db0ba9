'use client'
import {
  type QueryClient,
  type QueryObserverOptions,
  type QueryObserverResult,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { SessionView } from '@/lib/view/login'
import { missingRight } from '@/lib/view/needs'
import { sessionQuery } from '../login/use-session'
import { useText } from '../messages/use-text'
import { ActionFailure, ask as send } from './actions'
import { browserClock } from './browser-clock'
import { batchQuestions, type Question, type Verdict } from './question-batch'
import { type Answers, SharedAnswers } from './shared-answers'

/** Permissions change rarely. After this time, the next use of a question asks again. */
const STALE_MS = 30_000

export interface Right {
  /** True also while nothing is known: the server decides in any case, a button only saves the attempt. */
  allowed: boolean
  /** Why not, for people. */
  reason?: string
  known: boolean
}

/** Query key of permissions; invalidate it when the server refuses an offered action. */
export const ACCESS_KEY = ['access'] as const

/**
 * Reports whether the user has all these permissions, as the API server decides; never in a read-only console.
 * Simultaneous requests are batched. Use the permissions that the endpoint needs (lib/view/needs).
 */
export function useMay(questions: readonly Question[]): Right {
  const text = useText()
  const { subscribe, get } = answersTo(questions, useQueryClient())
  const [session, ...answers] = useSyncExternalStore(subscribe, get, get) as readonly [Session, ...Answer[]]
  if (session.data?.readOnly === true) return { allowed: false, known: true, reason: text('access.readOnly') }
  const at = answers.findIndex(({ data }) => data?.allowed === false)
  const [question, verdict] = [questions[at], answers[at]?.data]
  if (question && verdict)
    return { allowed: false, known: true, reason: text.of(missingRight(question, verdict.reason)) }
  return { allowed: true, known: answers.every(({ data }) => data !== undefined) }
}

type Session = QueryObserverResult<SessionView>
type Answer = QueryObserverResult<Verdict>

const shared = new WeakMap<QueryClient, SharedAnswers>()

/** The session and the answers to questions, one store for all buttons with the same questions. */
function answersTo(questions: readonly Question[], client: QueryClient): Answers {
  const known = shared.get(client) ?? new SharedAnswers(client, browserClock)
  shared.set(client, known)
  const queries = () => [sessionQuery, ...questions.map((question) => answerTo(question, client))]
  return known.of({
    key: JSON.stringify(questions),
    queries: queries as () => QueryObserverOptions[],
    staleMs: STALE_MS,
  })
}

/** Of acts that can be done in several ways: whether any of them is open. Else why the first is not. */
export function anyOf(first: Right, ...others: Right[]): Right {
  return [first, ...others].find(({ allowed }) => allowed) ?? first
}

/** Reloads all permissions after the server refused an offered action, because a permission was removed. */
export function useRightsAgain(): (error: Error) => void {
  const client = useQueryClient()
  return useCallback(
    (error: Error) => {
      if (error instanceof ActionFailure && error.code === 403) void client.invalidateQueries({ queryKey: ACCESS_KEY })
    },
    [client],
  )
}

/** The query that answers a question. */
export const answerTo = (question: Question, client: QueryClient) => ({
  ...asked(question),
  queryFn: () => decide(question, client),
})

const asked = (question: Question) => ({ queryKey: [...ACCESS_KEY, question], staleTime: STALE_MS, retry: false })

/**
 * Checks the permission for all objects first, once for all rows of a list. Names are checked separately only if that
 * is refused.
 */
async function decide({ name, ...all }: Question, client: QueryClient): Promise<Verdict> {
  if (name === undefined) return ask(all)
  const verdict = await client.fetchQuery({ ...asked(all), queryFn: () => ask(all) })
  return verdict.allowed ? verdict : ask({ ...all, name })
}

const ask = batchQuestions(askServer, (send) => void setTimeout(send, 0))

/** POST /api/v1/access. */
async function askServer(questions: Question[]): Promise<Verdict[]> {
  return (await send<{ verdicts: Verdict[] }>('/api/v1/access', { questions })).verdicts
}
