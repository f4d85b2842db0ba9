/** Objects as rows of a table, the form in which kubectl prints them. */
import type { UnknownObject } from '@/lib/kube/object'
import type { Ask } from '../api'
import { badRequest } from '../failures'
import { columnsOf } from './columns'
import type { Column } from './columns/column'
import { emptyObject } from './empty-object'
import { bookmarkObject, listMeta, type Page, restamped, type View } from './form'
import { internalForm } from './internal-form'

type Include = 'None' | 'Metadata' | 'Object'

/** Kinds without columns of their own: upstream's table of none of them has no list of rows. */
const PLAIN_TABLES = new Set([
  'clusterroles.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'limitranges',
  'roles.rbac.authorization.k8s.io',
])

/** A table view. Throws 400 for a wrong `includeObject`. */
export function tableView(ask: Pick<Ask, 'resource' | 'call' | 'api'>, version: string): View {
  const { resource, api, call } = ask
  const columns = columnsOf(resource)
  const include = readInclude(call.query.get('includeObject'))
  const identity = { kind: 'Table', apiVersion: `meta.k8s.io/${version}` }
  const rowOf = (object: UnknownObject): object => {
    const internal = internalForm(resource.kind, object)
    const named = internal.metadata.name === undefined ? withName(internal, '') : internal
    return {
      cells: columns.map((column) => column.cell(named, api.clock.now())),
      object: include === 'Object' ? object : included(internal, include, version),
    }
  }
  const table = (metadata: object, rows: object[], withColumns = true): object => ({
    ...identity,
    metadata,
    columnDefinitions: withColumns ? columns.map(definition) : null,
    rows,
  })
  const single = (object: UnknownObject): object =>
    table({ resourceVersion: object.metadata.resourceVersion }, [rowOf(object)])
  function* listText(page: Page): Generator<string> {
    if (page.entries.length === 0 && (version === 'v1beta1' || PLAIN_TABLES.has(resource.id)))
      return yield JSON.stringify({ ...table(listMeta({ ...resource, custom: false }, page), []), rows: null })
    yield JSON.stringify(table(listMeta({ ...resource, custom: false }, page), [])).slice(0, -']}'.length)
    for (const [index, { value }] of page.entries.entries())
      yield (index === 0 ? '' : ',') + JSON.stringify(rowOf(value))
    yield ']}'
  }
  let first = true
  const line = (type: string, object: UnknownObject): string => {
    const body = table({ resourceVersion: object.metadata.resourceVersion }, [rowOf(object)], first)
    first = false
    return `${JSON.stringify({ type, object: body })}\n`
  }
  return {
    plain: false,
    streamType: 'application/json',
    object: (entry, status = 200) => ({ status, value: single(entry.value) }),
    list: (page) => ({ status: 200, text: listText(page) }),
    event: (type, entry) => line(type, entry.value),
    gone: (previous, revision) => line('DELETED', restamped(previous, revision)),
    // A row like any other, of an object without content.
    bookmark: (revision, initialEventsEnd) =>
      line('BOOKMARK', bookmarkObject(emptyObject(resource), { revision, initialEventsEnd }) as UnknownObject),
  }
}

function withName(object: UnknownObject, name: string): UnknownObject {
  return { ...object, metadata: { ...object.metadata, name } }
}

function readInclude(text: string | null): Include {
  if (text === null || text === '') return 'Metadata'
  if (text === 'None' || text === 'Metadata' || text === 'Object') return text
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: `
      + "must be 'Metadata', 'Object', 'None', or empty",
  )
}

function included(object: UnknownObject, include: Include, version: string): object | null {
  if (include === 'None') return null
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata }
}

function definition(column: Column): object {
  const { name, type, format = '', description = '', priority = 0 } = column
  return { name, type, format, description, priority }
}
