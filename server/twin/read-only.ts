/** A transport that can only read: every other request fails before it is sent. */
import type { Transport, TransportRequest } from '@/server/kube/transport'

/** A write was about to be sent to the source of a twin. This is a defect of this program. */
export class WriteRefused extends Error {
  override readonly name = 'WriteRefused'
}

/** Passes GET requests that are neither watches nor calls through a proxy. */
export function readOnly(transport: Transport): Transport {
  return {
    call: async (request) => transport.call(reading(request)),
    watch: async (request) => {
      throw refusal(request)
    },
    stream: async (request) => {
      throw refusal(request)
    },
    close: () => transport.close(),
  }
}

function reading(request: TransportRequest): TransportRequest {
  const isRead = request.method === 'GET' && request.body === undefined && request.as === undefined
  if (!isRead || /\/proxy(\/|\?|$)/.test(request.path)) throw refusal(request)
  return request
}

const refusal = ({ method, path }: TransportRequest): WriteRefused =>
  new WriteRefused(`a twin only reads its source, so this was not sent: ${method} ${path}`)
