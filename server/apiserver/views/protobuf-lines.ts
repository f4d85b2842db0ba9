/** A watch in protobuf: frames that each begin with their length. */
import type { Ask } from '../api'
import type { WatchedObject } from '../call'
import { encodeEvent, encodeObject, isEncodable } from '../protobuf/encode'
import { accepted } from './accept'
import type { Lines } from './form'
import { metadataLines } from './metadata-view'
import { objectLines } from './object-lines'

export interface FramedLines extends Lines<Buffer> {
  /** All watchers of the kind get the same frames. */
  shared?: boolean
}

/** Undefined for a watch without protobuf, or of a kind without messages. */
export function protobufLines({ call, resource }: Pick<Ask, 'call' | 'resource'>): FramedLines | undefined {
  const { form, protobuf, version } = accepted(call.headers.accept, { custom: resource.custom })
  if (!protobuf) return undefined
  if (form !== 'object') return framed(metadataLines(resource, version))
  return isEncodable(resource.apiVersion, resource.kind.kind)
    ? { ...framed(objectLines(resource)), shared: !resource.converts }
    : undefined
}

function framed(lines: Lines<WatchedObject>): Lines<Buffer> {
  return {
    event: (type, entry) => frameOf(lines.event(type, entry)),
    gone: (previous, revision) => frameOf(lines.gone(previous, revision)),
    bookmark: (revision, initialEventsEnd) => frameOf(lines.bookmark(revision, initialEventsEnd)),
  }
}

/** The frame of an event. The object is of a kind that has messages. */
export function frameOf({ type, object }: WatchedObject): Buffer {
  return encodeEvent(type, encodeObject(object) ?? Buffer.alloc(0))
}
