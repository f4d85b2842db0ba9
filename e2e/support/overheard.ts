/** Records all data that the console's API and stream send to a page, as text that its user could find. */
import { inflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

const DEFLATED = 1

/** Starts recording. The returned function gives all data so far. */
export function overhear(page: Page): () => Promise<string> {
  const heard: (string | Promise<string>)[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) heard.push(response.text().catch(() => ''))
  })
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(textOf(payload))))
  return async () => (await Promise.all(heard)).join('\n')
}

/** The first byte of a frame shows whether the rest is deflated. */
function textOf(payload: string | Buffer): string {
  if (typeof payload === 'string') return payload
  const body = payload.subarray(1)
  return (payload[0] === DEFLATED ? inflateSync(body) : body).toString('utf8')
}
