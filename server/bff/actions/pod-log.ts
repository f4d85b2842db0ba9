/** Streams the log of a pod. Nothing of it is stored here. */
import { z } from 'zod'
import { pod as podKind } from '@/lib/kube/kinds'
import { podLogQuery } from '@/lib/view/actions'
import { queryText, resourcePath } from '@/server/kube/paths'
import { endpoint, type EndpointCall } from '../http/endpoint'
import type { ApiDeps } from './api-deps'
import { inMember, memberReader } from './member-reads'

/** A log that is not followed is cut after this many bytes; use `tailLines` to read its end. */
const MAX_BYTES = 10 * 1024 * 1024

export function podLogEndpoint({ clock }: ApiDeps) {
  return endpoint({
    method: 'GET',
    path: '/api/v1/clusters/{cluster}/pods/{namespace}/{pod}/log',
    kind: 'query',
    tag: 'api.tag.fleet',
    summary: 'api.endpoint.podLog',
    description: 'api.endpoint.podLog.description',
    query: podLogQuery,
    response: z.string(),
    perform: async (call) => {
      const { cluster = '', namespace = '', pod: name = '' } = call.params
      const reader = memberReader(call as EndpointCall, clock, cluster)
      const { follow, ...query } = call.query
      const path =
        resourcePath(podKind as never, { namespace, name, subresource: 'log' })
        + queryText({ ...query, ...(follow ? { follow } : { limitBytes: MAX_BYTES }) })
      const abort = new AbortController()
      const chunks = await inMember(reader, (signal) => reader.client.stream(path, signal), abort)
      return { chunks: abortable(chunks, abort), contentType: 'text/plain; charset=utf-8' }
    },
  })
}

/**
 * Aborts the request as soon as the reader leaves: a quiet log produces no further line at which the loss would show.
 */
function abortable(chunks: AsyncIterable<string>, abort: AbortController): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = chunks[Symbol.asyncIterator]()
      return {
        next: () => iterator.next(),
        return: () => {
          abort.abort()
          return Promise.resolve({ done: true, value: undefined })
        },
      }
    },
  }
}
