/** Clients without a browser: each follows a topic of the live stream and records visible changes. */
import { TestReader } from '@/server/bff/testing/live-client'
import type { Entity } from '@/lib/view/live-client'

export interface Follower {
  topic: string
  reader: TestReader
  /** Times that the collection became empty after it once was not. */
  emptied(): number
}

/** `count` of them for each topic, all through one address. */
export function follow(
  url: string,
  topics: readonly string[],
  { count, headers }: { count: number; headers?: Record<string, string> },
): Follower[] {
  return topics.flatMap((topic) => Array.from({ length: count }, () => followOne(url, topic, headers)))
}

function followOne(url: string, topic: string, headers?: Record<string, string>): Follower {
  const reader = new TestReader(url, topic, headers ? { headers } : {})
  // As in the page: only after a final message of the server the client does not reconnect.
  reader.socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') reader.socket.connect()
  })
  let held = 0
  let emptied = 0
  reader.socket.onAny(() => {
    const { size } = reader.state.entities
    if (held > 0 && size === 0) emptied += 1
    held = size
  })
  return { topic, reader, emptied: () => emptied }
}

/** The first state of a new reader at `url`. */
export async function freshView(url: string, topic: string): Promise<Record<string, Entity>> {
  const reader = new TestReader(url, topic)
  try {
    for (const end = Date.now() + 30_000; reader.state.phase !== 'live' && Date.now() < end;)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    return reader.held
  } finally {
    reader.close()
  }
}
