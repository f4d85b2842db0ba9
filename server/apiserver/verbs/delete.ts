import { hasPrefix, NO_PROTOBUF } from '../protobuf/decode'
import type { StatusCause } from '@/lib/kube/errors'
import type { UnknownObject } from '@/lib/kube/object'
import { array, boolean, int64, object, string } from '@/lib/kube/schema'
import { findMismatch } from '@/lib/kube/schema-mismatch'
import type { Ask } from '../api'
import { IDENTITY, mediaType, PROTOBUF, readProtobuf, tryParse, unsupportedMedia } from '../body'
import type { Answer, Call } from '../call'
import { badRequest, invalidOptions } from '../failures'
import { booleanOf, integerOf } from '../query'
import { unwritten } from '../registry/create'
import { type Propagation, removeObject, type RemoveOptions } from '../registry/remove'
import { writerOf } from '../registry/writer'
import type { Entry } from '../store/store'
import { emptyObject } from '../views/empty-object'
import { viewOf } from '../views/view'
import { readYamlBody } from '../yaml/yaml'
import { find } from './get'

/** Kinds whose deletion answers with the object; the others answer with a Status. */
const ANSWERED_WITH_OBJECT = new Set([
  'pods',
  'services',
  'serviceaccounts',
  'persistentvolumes',
  'persistentvolumeclaims',
  'podtemplates',
  'resourcequotas',
  'storageclasses.storage.k8s.io',
])

/** DELETE of an object. */
export async function remove(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  const options = withCustomOfKind(ask, await readDeleteOptions(ask.call))
  const current = find(ask)
  const { entry, gone, unfilled } = await removeObject(ask, current, options)
  if (unfilled) return view.object(unfilledEntry(ask, entry))
  // Who asked for the deletion of dependents hears that it is not done yet.
  if (!gone && options.cascades) return view.object(entry, 202)
  if (!gone || ANSWERED_WITH_OBJECT.has(ask.resource.id)) return view.object(entry)
  const { kind } = ask.resource
  const { name, uid } = entry.value.metadata
  const details = { name, ...(kind.group && { group: kind.group }), kind: kind.plural, uid }
  return { status: 200, value: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details } }
}

function unfilledEntry({ resource }: Ask, { location }: Entry): Entry {
  const object = emptyObject(resource)
  return unwritten(location, (resource.custom ? object : { ...object, metadata: {} }) as UnknownObject)
}

/** Dependents of these stay where the client does not say what becomes of them. */
const ORPHANS_BY_DEFAULT = new Set(['jobs.batch', 'replicationcontrollers'])
const PODS_PRESERVED =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set '
  + 'propagationPolicy=Orphan to suppress this warning'

export function withCustomOfKind<T extends RemoveOptions & { cascades: boolean }>(
  { call, resource }: Ask,
  options: T,
): T {
  // Events are not looked after by the garbage collector, whatever is asked for.
  if (resource.id === 'events') return { ...options, propagation: 'Background' }
  // The old option deletes the contents of a namespace first.
  if (resource.id === 'namespaces' && options.cascades) return { ...options, propagation: 'Foreground' }
  if (options.propagation !== undefined || !ORPHANS_BY_DEFAULT.has(resource.id)) return options
  if (resource.id === 'jobs.batch') call.warn(PODS_PRESERVED)
  return { ...options, propagation: 'Orphan', byDefault: true }
}

interface DeleteBody {
  kind?: string
  apiVersion?: string
  preconditions?: { uid?: string; resourceVersion?: string }
  propagationPolicy?: string
  orphanDependents?: boolean
  gracePeriodSeconds?: number
  dryRun?: string[]
}

const deleteOptions = object({
  kind: string(),
  apiVersion: string(),
  preconditions: object({ uid: string(), resourceVersion: string() }),
  propagationPolicy: string(),
  orphanDependents: boolean(),
  gracePeriodSeconds: int64(),
  dryRun: array(string()),
})

/** DeleteOptions of the body, else of the query. Throws 400, 415 and 422. */
export async function readDeleteOptions(call: Call): Promise<RemoveOptions & { cascades: boolean }> {
  const body =
    mediaType(call) === PROTOBUF ? fromProtobuf(call, await call.bytes()) : await fromText(call, await call.body())
  const causes = causesOf(body)
  if (causes.length > 0) throw invalidOptions('DeleteOptions', causes)
  return {
    writer: writerOf(call),
    preconditions: body.preconditions,
    propagation: propagationOf(body),
    graceSeconds: body.gracePeriodSeconds,
    dryRun: (body.dryRun?.length ?? 0) > 0,
    cascades: body.orphanDependents === false,
  }
}

/**
 * Returns the propagation policy. The deprecated `orphanDependents` has precedence: false disables orphaning,
 * independent of existing finalizers.
 */
function propagationOf({ orphanDependents, propagationPolicy }: DeleteBody): Propagation | undefined {
  if (orphanDependents === undefined || orphanDependents === null) return propagationPolicy as Propagation | undefined
  return orphanDependents ? 'Orphan' : 'Background'
}

function fromQuery({ query }: Call): DeleteBody {
  const uid = query.get('uid') || undefined
  const resourceVersion = query.get('resourceVersion') || undefined
  return {
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: booleanOf(query, 'orphanDependents'),
    gracePeriodSeconds: integerOf(query, 'gracePeriodSeconds'),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
    ...((uid ?? resourceVersion) !== undefined && { preconditions: { uid, resourceVersion } }),
  }
}

const fromText = async (call: Call, text: string): Promise<DeleteBody> =>
  text === '' ? fromQuery(call) : fromBody(call, text)

function fromProtobuf(call: Call, bytes: Buffer): DeleteBody {
  if (bytes.length === 0) return fromQuery(call)
  if (!hasPrefix(bytes)) throw badRequest(NO_PROTOBUF)
  return checked(readProtobuf(bytes, { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' }) as DeleteBody)
}

async function fromBody(call: Call, text: string): Promise<DeleteBody> {
  const type = mediaType(call)
  if (type !== 'application/json' && type !== 'application/yaml') throw unsupportedMedia()
  const unread = (detail: string): unknown => badRequest(`couldn't get version/kind; json parse error: ${detail}`)
  const value =
    type === 'application/yaml'
      ? (await readYamlBody(text, (detail) => badRequest(`yaml: ${detail}`))).value
      : tryParse(text, unread)
  if (value !== null && value !== undefined && (typeof value !== 'object' || Array.isArray(value))) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw unread(`json: cannot unmarshal ${found} into Go value of type ${IDENTITY}`)
  }
  const misfit = findMismatch(value ?? {}, deleteOptions, 'DeleteOptions')
  if (misfit) throw badRequest(misfit)
  const given = Object.entries(value ?? {}).filter(([, option]) => option !== null)
  return checked(Object.fromEntries(given) as DeleteBody)
}

function checked(body: DeleteBody): DeleteBody {
  const { apiVersion = '' } = body
  if (apiVersion.split('/').length > 2) throw badRequest(`unexpected GroupVersion string: ${apiVersion}`)
  if (body.kind !== undefined && body.kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind "${body.kind}" is registered for version "${body.apiVersion ?? 'meta.k8s.io/v1'}" in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  return body
}

const POLICIES = ['Foreground', 'Background', 'Orphan']

function causesOf(body: DeleteBody): StatusCause[] {
  const { propagationPolicy, orphanDependents } = body
  const field = 'propagationPolicy'
  const causes: StatusCause[] = []
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    const supported = [...POLICIES, 'nil'].map((policy) => `"${policy}"`).join(', ')
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${propagationPolicy}": supported values: ${supported}`,
      field,
    })
  }
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const message = `Invalid value: "${propagationPolicy}": orphanDependents and deletionPropagation cannot be both set`
    causes.push({ reason: 'FieldValueInvalid', message, field })
  }
  const { dryRun = [] } = body
  if (dryRun.some((value) => value !== 'All')) {
    const message = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`
    causes.push({ reason: 'FieldValueNotSupported', message, field: 'dryRun' })
  }
  return causes
}
