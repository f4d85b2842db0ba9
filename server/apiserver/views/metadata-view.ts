import type { WatchedObject } from '../call'
import type { Resource } from '../registry/resource'
import type { Entry } from '../store/store'
import { bookmarkLine, bookmarkObject, type Lines, listMeta, type Page, restamped, type View } from './form'

/** Objects reduced to their metadata, for metadata informers. */
export function metadataView(resource: Resource, version: string): View {
  const apiVersion = `meta.k8s.io/${version}`
  const identity = { kind: 'PartialObjectMetadata', apiVersion }
  const partial = (entry: Entry): object => ({ ...identity, metadata: entry.value.metadata })
  const headOf = (page: Page): object => ({
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata: listMeta(resource, page, false),
  })
  function* listText(page: Page): Generator<string> {
    yield `${JSON.stringify(headOf(page)).slice(0, -1)},"items":[`
    for (const [index, entry] of page.entries.entries()) yield (index === 0 ? '' : ',') + JSON.stringify(partial(entry))
    yield ']}'
  }
  const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`
  return {
    plain: false,
    streamType: 'application/json',
    object: (entry, status = 200) => ({ status, value: partial(entry) }),
    list: (page) => ({
      status: 200,
      text: listText(page),
      object: () => ({ ...headOf(page), items: page.entries.map(partial) }),
    }),
    event: (type, entry) => line(type, partial(entry)),
    gone: (previous, revision) => line('DELETED', { ...identity, metadata: restamped(previous, revision).metadata }),
    bookmark: (revision, initialEventsEnd) => bookmarkLine(identity, { revision, initialEventsEnd }),
  }
}

/** A watch of metadata as objects. */
export function metadataLines({ read }: Resource, version: string): Lines<WatchedObject> {
  const identity = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}` }
  const told = (type: string, object: object): WatchedObject => ({ type, object, size: 0 })
  return {
    event: (type, entry) => told(type, { ...identity, metadata: read(entry).value.metadata }),
    gone: (previous, revision) =>
      told('DELETED', { ...identity, metadata: restamped(read(previous), revision).metadata }),
    bookmark: (revision, initialEventsEnd) =>
      told('BOOKMARK', bookmarkObject(identity, { revision, initialEventsEnd })),
  }
}
