/** The form in which a client sees objects: whole, as rows of a table, or only their metadata. */
import type { Ask } from '../api'
import { internal } from '../failures'
import { booleanOf } from '../query'
import { itemJson, type Resource } from '../registry/resource'
import { emptyObject } from './empty-object'
import { packageOf } from '../wrong-kind'
import { accepted, type Form, unsuitedForm } from './accept'
import { bookmarkLine, listMeta, type Page, restamped, type View } from './form'
import { metadataView } from './metadata-view'
import { tableView } from './table-view'

/** The requested view. Throws 406 for an unknown view, and 400 for an invalid option. */
export function viewOf(ask: Pick<Ask, 'resource' | 'call' | 'api' | 'target'>): View {
  const view = formOf(ask)
  return ask.resource.converts ? convertingView(view, ask.resource) : view
}

/** Shows entries as a version shows them that is not the one in which they are kept. */
function convertingView(view: View, { read }: Resource): View {
  return {
    ...view,
    plain: false,
    object: (entry, status) => view.object(read(entry), status),
    list: (page) => view.list({ ...page, entries: page.entries.map(read) }),
    event: (type, entry) => view.event(type, read(entry)),
    gone: (previous, revision) => view.gone(read(previous), revision),
  }
}

function formOf(ask: Pick<Ask, 'resource' | 'call' | 'api' | 'target'>): View {
  const isList = ask.target.name === undefined
  const { method, headers } = ask.call
  const { form, version } = accepted(headers.accept, {
    custom: ask.resource.custom,
    isList: isList && method === 'GET',
  })
  switch (form) {
    case 'object':
      return objectView(ask.resource)
    case 'Table':
      return tableView(ask, version)
    default: {
      if (!suits(form, isList, isWatch(ask))) return unsuited(form, ask.resource)
      const view = metadataView(ask.resource, version)
      return isWatch(ask) && form === 'PartialObjectMetadataList' ? { ...view, ...SILENT } : view
    }
  }
}

/** An unsupported form is refused only after the response is computed. */
function unsuited(form: Form, { kind, apiVersion, custom }: Resource): View {
  const refuse = (): never => {
    const isList = form === 'PartialObjectMetadata'
    // An object of a custom kind could be a list, but has no items.
    if (custom && !isList) throw internal('content is not a list', '')
    const word = isList ? kind.listKind : kind.kind
    const type = custom ? 'unstructured.UnstructuredList' : `${packageOf(apiVersion)}.${word}`
    throw unsuitedForm(`you requested ${form}, but the requested object is ${isList ? 'a' : 'not a'} list (*${type})`)
  }
  return { plain: false, streamType: '', object: refuse, list: refuse, event: refuse, gone: refuse, bookmark: refuse }
}

/** An object of a watch is no list: nothing is sent. */
const SILENT = { event: () => '', gone: () => '', bookmark: () => '' }

function suits(form: Form, isList: boolean, watching: boolean): boolean {
  return watching || (form === 'PartialObjectMetadataList') === isList
}

/** One object cannot be watched: the option means nothing there. */
function isWatch({ call, target }: Pick<Ask, 'call' | 'target'>): boolean {
  if (target.name !== undefined) return false
  return booleanOf(call.query, 'watch') === true
}

function objectView(resource: Resource): View {
  return {
    plain: true,
    streamType: 'application/json',
    object: (entry, status = 200) => ({
      status,
      // A getter, because local clients read only the object, and serializing it for them would be wasted.
      get text() {
        return entry.json
      },
      object: () => entry.value,
    }),
    list: (page) => ({ status: 200, text: listText(resource, page), object: () => listObject(resource, page) }),
    event: (type, entry) => `{"type":"${type}","object":${entry.json}}\n`,
    gone: (previous, revision) => `${JSON.stringify({ type: 'DELETED', object: restamped(previous, revision) })}\n`,
    bookmark: (revision, initialEventsEnd) => bookmarkLine(emptyObject(resource), { revision, initialEventsEnd }),
  }
}

function listHead(resource: Resource, page: Page): object {
  return { kind: resource.kind.listKind, apiVersion: resource.apiVersion, metadata: listMeta(resource, page) }
}

/** Items name their kind, also where their text leaves it out. */
function listObject(resource: Resource, page: Page): object {
  return { ...listHead(resource, page), items: page.entries.map(({ value }) => value) }
}

function* listText(resource: Resource, page: Page): Generator<string> {
  yield `${JSON.stringify(listHead(resource, page)).slice(0, -1)},"items":[`
  for (const [index, entry] of page.entries.entries()) yield (index === 0 ? '' : ',') + itemJson(resource, entry)
  yield ']}\n'
}
