/** The live heap of a product, measured after a full collection through Node's inspector. */
import type { Product } from '@/e2e/support/product'

/** Start the product with this environment, so that its inspector listens on a free port of this machine. */
export const INSPECTABLE: Readonly<Record<string, string>> = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

const address = /Debugger listening on (ws:\S+)/

interface Answer {
  id?: number
  result?: { usedSize?: number }
  error?: { message: string }
}

/**
 * Collects all garbage of the main thread, which stops it for as long as that takes, and returns the bytes that remain.
 * Rejects when the product was not started as `INSPECTABLE`, or its inspector does not answer.
 */
export async function liveHeapOf(product: Product): Promise<number> {
  const url = address.exec(product.output())?.[1]
  if (!url) throw new Error('the product was started without an inspector: its live heap cannot be measured')
  const socket = new WebSocket(url)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error(`no connection to the inspector at ${url}`)))
    })
    await ask(socket, 1, 'HeapProfiler.collectGarbage')
    const { usedSize } = await ask(socket, 2, 'Runtime.getHeapUsage')
    if (usedSize === undefined) throw new Error('the inspector reported no size of the heap')
    return usedSize
  } finally {
    socket.close()
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<NonNullable<Answer['result']>> {
  return new Promise((resolve, reject) => {
    const read = ({ data }: MessageEvent): void => {
      const answer = JSON.parse(String(data)) as Answer
      if (answer.id !== id) return
      socket.removeEventListener('message', read)
      if (answer.error) reject(new Error(`${method}: ${answer.error.message}`))
      else resolve(answer.result ?? {})
    }
    socket.addEventListener('message', read)
    socket.addEventListener('close', () => reject(new Error(`${method}: the inspector closed the connection`)))
    socket.send(JSON.stringify({ id, method }))
  })
}
