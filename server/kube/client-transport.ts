/** A transport over a client: its requests are those of the client's user. Reads only what is asked for with GET. */
import type { KubeClient } from './client'
import type { Transport } from './transport'

/** Requests after `signal` reject, and those under way are given up. Closing it leaves the client open. */
export function clientTransport(client: KubeClient, signal: AbortSignal): Transport {
  const refuse = (): Promise<never> => Promise.reject(new Error('only single requests are passed on'))
  return {
    call: async ({ method, path, body }) => {
      signal.throwIfAborted()
      const { status, body: answered } = await client.raw(method, path, body, signal)
      return { code: status, body: answered }
    },
    watch: refuse,
    stream: refuse,
    close: () => Promise.resolve(),
  }
}
