/** The newline-separated JSON of a watch, event by event. */
import type { KubeObject } from '@/lib/kube/object'
import { errorOfWatch } from './answers'
import type { WatchEvent } from './client'

const NEWLINE = 0x0a
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

/** Splits a byte stream into lines; an unfinished last line is dropped, for the stream was cut there. */
export async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let pending: Buffer[] = []
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      pending = []
      start = end + 1
      if (line.trim() !== '') yield line
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
}

/** Reads one line. Throws the KubeError of an ERROR line, and a SyntaxError for what is no JSON. */
export function parseWatchLine<T extends KubeObject>(line: string): WatchEvent<T> {
  const { type, object } = JSON.parse(line) as { type: string; object: T }
  if (type === 'ERROR') throw errorOfWatch(object)
  if (type !== 'BOOKMARK') return { type: type as 'ADDED' | 'MODIFIED' | 'DELETED', object }
  const { resourceVersion, annotations } = object.metadata
  return { type, resourceVersion, initialEventsEnd: annotations?.[INITIAL_EVENTS_END] === 'true' }
}
