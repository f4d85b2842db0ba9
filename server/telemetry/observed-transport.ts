/** Counts, times and traces every request to an API server, and lets its callers continue in turn. */
import type { ConnectionOptions } from '@/server/kube/connection'
import type { Transport, TransportAnswer, TransportRequest } from '@/server/kube/transport'
import type { Turns } from '@/server/runtime/turns'
import type { OpenSpan, Spans } from './spans'
import { workGoesOn } from './work'

export interface TransportObserver {
  spans: Spans
  /** Where callers continue. One commit of the store answers many writes at once, and all of them would continue in that turn. */
  turns?: Turns
  apiServerAnswered(method: string, code: number, seconds: number): void
}

/** Wraps a transport. The query of a path is not recorded, because selectors may contain any text. */
export function observedTransport(transport: Transport, observer: TransportObserver): Transport {
  return {
    call: async (request) => {
      const answer = await traced(observer.spans, request, (span) =>
        timed(observer, request, async () => noted(span, await transport.call(request))),
      )
      const turn = observer.turns?.next()
      if (turn) await turn
      workGoesOn()
      return answer
    },
    // Only its start is traced: a watch lasts for minutes and belongs to no request.
    watch: (request) => transport.watch(request),
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}

function traced<T>(spans: Spans, { method, path }: TransportRequest, act: (span: OpenSpan) => Promise<T>): Promise<T> {
  const attributes = { 'http.request.method': method, 'url.path': path.split('?', 1)[0] ?? '' }
  return spans.within({ name: `${method} API server`, kind: 'client', attributes }, act)
}

function noted(span: OpenSpan, answer: TransportAnswer): TransportAnswer {
  span.set({ 'http.response.status_code': answer.code })
  if (answer.code >= 400) span.fail(`HTTP ${answer.code}`)
  return answer
}

async function timed(
  observer: TransportObserver,
  { method }: TransportRequest,
  act: () => Promise<TransportAnswer>,
): Promise<TransportAnswer> {
  const began = performance.now()
  let code = 0
  try {
    const answer = await act()
    code = answer.code
    return answer
  } finally {
    observer.apiServerAnswered(method, code, (performance.now() - began) / 1000)
  }
}

/** The same connection; its requests propagate their trace. */
export function tracedConnection(options: ConnectionOptions, spans: Spans): ConnectionOptions {
  const { refresh } = options
  return {
    ...options,
    // Called before every request, in its context.
    refresh: async () => {
      const traceparent = spans.traceparent()
      const fresh = await refresh?.()
      return { ...fresh, headers: { ...fresh?.headers, ...(traceparent !== undefined && { traceparent }) } }
    },
  }
}
