import type { WatchedObject } from '../call'
import type { UnknownObject } from '@/lib/kube/object'
import type { Resource } from '../registry/resource'
import type { Entry } from '../store/store'
import { bookmarkLine, bookmarkObject, type Lines, listMeta, type Page, restamped, type View } from './form'
import { internalForm } from './internal-form'

/** Objects reduced to their metadata, for metadata informers. */
export function metadataView(resource: Resource, version: string): View {
  const apiVersion = `meta.k8s.io/${version}`
  const identity = { kind: 'PartialObjectMetadata', apiVersion }
  const shown = (object: UnknownObject): object => ({
    ...identity,
    metadata: internalForm(resource.kind, object).metadata,
  })
  const partial = (entry: Entry): object => shown(entry.value)
  const headOf = (page: Page): object => ({
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata: listMeta(resource, page, false),
  })
  function* listText(page: Page): Generator<string> {
    const head = JSON.stringify(headOf(page)).slice(0, -1)
    if (page.entries.length === 0) return yield `${head},"items":null}`
    yield `${head},"items":[`
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
      object: () => ({ ...headOf(page), items: page.entries.length === 0 ? null : page.entries.map(partial) }),
    }),
    event: (type, entry) => line(type, partial(entry)),
    gone: (previous, revision) => line('DELETED', shown(restamped(previous, revision))),
    bookmark: (revision, initialEventsEnd) => bookmarkLine(identity, { revision, initialEventsEnd }),
  }
}

/** A watch of metadata as objects. */
export function metadataLines({ read, kind }: Resource, version: string): Lines<WatchedObject> {
  const identity = { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}` }
  const told = (type: string, object: object): WatchedObject => ({ type, object, size: 0 })
  const shown = (object: UnknownObject): object => ({ ...identity, metadata: internalForm(kind, object).metadata })
  return {
    event: (type, entry) => told(type, shown(read(entry).value)),
    gone: (previous, revision) => told('DELETED', shown(restamped(read(previous), revision))),
    bookmark: (revision, initialEventsEnd) =>
      told('BOOKMARK', bookmarkObject(identity, { revision, initialEventsEnd })),
  }
}
