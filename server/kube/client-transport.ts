/** A transport over a client; requests have the client's user. Supports single requests only, no watches or streams. */
import type { KubeClient } from './client'
import type { Transport } from './transport'

/**
 * Once `signal` aborts, new requests reject and running ones are cancelled. Closing the transport does not close the
 * client.
 */
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
