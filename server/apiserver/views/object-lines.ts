import type { WatchedObject } from '../call'
import type { Resource } from '../registry/resource'
import { bookmarkObject, type Lines, restamped } from './form'

/** A watch for a reader in this process: the objects of the store themselves, as this version shows them. */
export function objectLines(resource: Resource): Lines<WatchedObject> {
  const identity = { kind: resource.kind.kind, apiVersion: resource.apiVersion }
  return {
    event: (type, entry) => {
      const shown = resource.read(entry)
      return { type, object: shown.value, size: shown.size }
    },
    gone: (previous, revision) => {
      const shown = resource.read(previous)
      return { type: 'DELETED', object: restamped(shown, revision), size: shown.size }
    },
    bookmark: (revision, initialEventsEnd) => ({
      type: 'BOOKMARK',
      object: bookmarkObject(identity, { revision, initialEventsEnd }),
      size: 0,
    }),
  }
}
