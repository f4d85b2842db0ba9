'use client'
import { useEffect, useState } from 'react'
import { openText, ActionFailure } from '../hooks/actions'
import { LogBuffer, type LogEntry } from './log-buffer'

/** How often new lines are drawn, at most. */
const DRAW_MS = 250
const RESUME_MS = 2000

export interface LogSource {
  cluster: string
  namespace: string
  pod: string
  container: string
  previous: boolean
  /** `all`, or how many of the last lines. */
  tail: string
}

export interface LogState {
  lines: readonly LogEntry[]
  /** Number of received lines; those that are not in `lines` were dropped. */
  total: number
  state: 'opening' | 'following' | 'ended' | 'interrupted' | 'refused'
  /** Why it is refused or interrupted. */
  problem?: string
}

const NOTHING: LogState = { lines: [], total: 0, state: 'opening' }

export function logPath({ cluster, namespace, pod, container, previous, tail }: LogSource, sinceTime?: string): string {
  const query = new URLSearchParams({ container, timestamps: 'true' })
  if (previous) query.set('previous', 'true')
  else query.set('follow', 'true')
  if (sinceTime !== undefined) query.set('sinceTime', sinceTime)
  else if (tail !== 'all') query.set('tailLines', tail)
  const at = [cluster, 'pods', namespace, pod].map(encodeURIComponent).join('/')
  return `/api/v1/clusters/${at}/log?${query.toString()}`
}

/** Reads a log and follows it; a broken connection is resumed where it ended. For another source, mount it anew. */
export function useLog({ cluster, namespace, pod, container, previous, tail }: LogSource): LogState {
  const [state, setState] = useState(NOTHING)
  useEffect(() => {
    const abort = new AbortController()
    void followLog({ cluster, namespace, pod, container, previous, tail }, setState, abort.signal)
    return () => abort.abort()
  }, [cluster, namespace, pod, container, previous, tail])
  return state
}

async function followLog(source: LogSource, show: (state: LogState) => void, signal: AbortSignal): Promise<void> {
  const buffer = new LogBuffer()
  const draw = (state: LogState['state'], problem?: string): void => {
    if (signal.aborted) return
    show({ lines: buffer.lines(), total: buffer.total, state, ...(problem !== undefined && { problem }) })
  }
  const timer = setInterval(drawing(buffer, draw), DRAW_MS)
  try {
    for (;;) {
      const end = await readOnce(source, buffer, signal)
      if (end.state !== 'interrupted') return draw(end.state, end.problem)
      draw('interrupted', end.problem)
      await pause(RESUME_MS)
      if (signal.aborted) return
    }
  } finally {
    clearInterval(timer)
  }
}

/** Returns a function that renders if lines were received since the last call. */
function drawing(buffer: LogBuffer, draw: (state: LogState['state']) => void): () => void {
  let drawn = 0
  return () => {
    if (buffer.total === drawn) return
    drawn = buffer.total
    draw('following')
  }
}

type End = Pick<LogState, 'problem'> & { state: 'ended' | 'interrupted' | 'refused' }

async function readOnce(source: LogSource, buffer: LogBuffer, signal: AbortSignal): Promise<End> {
  const since = buffer.lastAt
  // Lines of the same time were received already: the cluster sends them again.
  let known = since === '' ? '' : since
  try {
    for await (const piece of openText(logPath(source, since === '' ? undefined : since), signal)) {
      const fresh = known === '' ? piece : withoutLinesOf(known, piece)
      if (fresh !== '') known = ''
      buffer.push(fresh)
    }
    buffer.end()
    return { state: 'ended' }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const refused = error instanceof ActionFailure && error.code >= 400 && error.code < 500
    return { state: refused && buffer.total === 0 ? 'refused' : refused ? 'ended' : 'interrupted', problem }
  }
}

const withoutLinesOf = (at: string, piece: string): string => {
  let rest = piece
  while (rest.startsWith(at) && rest.includes('\n')) rest = rest.slice(rest.indexOf('\n') + 1)
  return rest
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
