/** Common type of all forms. */
import type { UnknownObject } from '@/lib/kube/object'
import type { Reply } from '../call'
import type { Resource } from '../registry/resource'
import type { Entry } from '../store/store'

/** A page of a list and where the next one begins. */
export interface Page {
  entries: Entry[]
  revision: number
  continue?: string
  /** How many follow; unknown when a selector is in play, as upstream. */
  remaining?: number
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** How lines of a watch are put, newline included where they are text. */
export interface Lines<Line> {
  event(type: EventType, entry: Entry): Line
  /** An object that left the selection: its state before, with the revision of the change. */
  gone(previous: Entry, revision: number): Line
  bookmark(revision: number, initialEventsEnd: boolean): Line
}

export interface View extends Lines<string> {
  /** True when a line of a watch follows from the event alone, so that all watchers can share it. */
  plain: boolean
  /** The media type of a watch in this form. */
  streamType: string
  object(entry: Entry, status?: number): Reply
  list(page: Page): Reply
}

/** An object as it was, under the revision of a later change. */
export function restamped(entry: Entry, revision: number): UnknownObject {
  return { ...entry.value, metadata: { ...entry.value.metadata, resourceVersion: String(revision) } }
}

const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

export function bookmarkLine(
  identity: object,
  { revision, initialEventsEnd }: { revision: number; initialEventsEnd: boolean },
): string {
  return `${JSON.stringify({ type: 'BOOKMARK', object: bookmarkObject(identity, { revision, initialEventsEnd }) })}\n`
}

export function bookmarkObject(
  identity: object,
  { revision, initialEventsEnd }: { revision: number; initialEventsEnd: boolean },
): object {
  const { kind, apiVersion, metadata, ...content } = identity as Partial<UnknownObject>
  const annotations = { ...metadata?.annotations, ...(initialEventsEnd && { [INITIAL_EVENTS_END]: 'true' }) }
  const isAnnotated = Object.keys(annotations).length > 0
  return {
    kind,
    apiVersion,
    metadata: { resourceVersion: String(revision), ...(isAnnotated && { annotations }) },
    ...content,
  }
}

/**
 * `whole` objects of custom kinds come in lists that name an empty token; tables do not. What is not stored has no
 * version.
 */
export function listMeta({ custom, kind }: Pick<Resource, 'custom' | 'kind'>, page: Page, whole = true): object {
  if (kind.origin === 'builtin' && kind.readOnly) return {}
  return {
    resourceVersion: String(page.revision),
    ...(page.continue !== undefined ? { continue: page.continue } : custom && whole ? { continue: '' } : {}),
    ...(page.remaining !== undefined && { remainingItemCount: page.remaining }),
  }
}
