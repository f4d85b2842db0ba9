/** Parses the newline-separated JSON of a watch. */
import type { KubeObject } from '@/lib/kube/object'
import { errorOfWatch } from './answers'
import type { WatchEvent } from './client'
import type { TransportLine } from './transport'

const NEWLINE = 0x0a
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

/** Splits a byte stream into lines; an incomplete last line is dropped. Throws SyntaxError for invalid JSON. */
export async function* watchLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TransportLine> {
  let pending: Buffer[] = []
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8')
      pending = []
      start = end + 1
      if (line.trim() !== '') yield JSON.parse(line) as TransportLine
    }
    if (start < chunk.length) pending.push(chunk.subarray(start))
  }
}

/** Returns the event of a line. Throws the KubeError of an ERROR line. */
export function eventOf<T extends KubeObject>({ type, object }: TransportLine): WatchEvent<T> {
  if (type === 'ERROR') throw errorOfWatch(object)
  if (type !== 'BOOKMARK') return { type: type as 'ADDED' | 'MODIFIED' | 'DELETED', object: object as T }
  const { resourceVersion, annotations } = (object as T).metadata
  return { type, resourceVersion, initialEventsEnd: annotations?.[INITIAL_EVENTS_END] === 'true' }
}
