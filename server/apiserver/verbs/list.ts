/** Lists: the newest state, or pages of one consistent snapshot. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { kubeError, type StatusCause } from '@/lib/kube/errors'
import type { Ask } from '../api'
import type { Answer } from '../call'
import { badRequest, expired, invalidOptions } from '../failures'
import { untilReached } from '../fresh'
import { booleanOf, integerOf, versionOf } from '../query'
import { type Selection, selectionOf } from '../registry/selection'
import { RevisionCompacted } from '../store/errors'
import type { Entry } from '../store/store'
import type { Page } from '../views/form'
import { viewOf } from '../views/view'
import { refuseToBeWaitedFor } from './pods-elsewhere'

/** Continuation of a list. `revision` is -1 for an inconsistent continuation. */
interface Continuation {
  revision: number
  /** Keys before this one were delivered. */
  start: string
}

export async function list(ask: Ask): Promise<Answer> {
  const view = viewOf(ask)
  const page = await readPage(ask)
  refuseToBeWaitedFor(ask, page)
  return view.list(page)
}

/** Reads the requested page. Throws 400, 410, 422 and 504 as kube-apiserver does. */
export async function readPage(ask: Ask): Promise<Page> {
  const {
    call: { query },
    api,
  } = ask
  const limit = Math.max(0, integerOf(query, 'limit') ?? 0)
  integerOf(query, 'timeoutSeconds')
  const selection = selectionOf(ask.resource, query, () => refuseBadOptions(query))
  const continued = query.get('continue') ? parseContinue(query.get('continue') as string) : undefined
  // A version beside a continuation is not even read.
  if (continued && !['', '0'].includes(query.get('resourceVersion') ?? '')) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  const version = versionOf(query, true)
  await untilReached(api.store, api.clock, continued ? 0 : version)
  if (continued) return page(ask, selection, { limit, ...continued })
  const match = query.get('resourceVersionMatch') ?? ''
  const exact = version !== undefined && match === 'Exact'
  const snapshot = exact || (limit > 0 && version !== undefined && version > 0 && match === '')
  return page(ask, selection, {
    // A list from the cache comes whole; events have none.
    limit: (version === 0 && ask.resource.id !== 'events') || names(ask, selection) ? 0 : limit,
    revision: snapshot ? (version as number) : api.store.revision,
    start: '',
  })
}

/** True where a selector names one object, in its namespace. */
function names({ resource, target }: Ask, { single = false }: Selection): boolean {
  return single && (resource.kind.scope === 'Cluster' || target.namespace !== undefined)
}

async function page(ask: Ask, selection: Selection, at: Continuation & { limit: number }): Promise<Page> {
  const all = snapshotOf(ask, at)
  const from = at.start === '' ? 0 : all.findIndex((entry) => relativeKey(ask, entry) >= at.start)
  const candidates = from < 0 ? [] : all.slice(from)
  const revision = at.revision < 0 ? ask.api.store.revision : at.revision
  const matching = await selected(selection, candidates)
  if (at.limit === 0) return { entries: matching, revision }
  return cut(ask, selection, { candidates, matching, revision, limit: at.limit })
}

/** How many entries are scanned before other requests run: some tenths of a millisecond. */
const SLICE = 500

/** Nothing written meanwhile changes the entries of a snapshot. */
async function selected(selection: Selection, candidates: Entry[]): Promise<Entry[]> {
  if (selection.everything || candidates.length <= SLICE) return selection.filter(candidates)
  const matching: Entry[] = []
  for (let at = 0; at < candidates.length; at += SLICE) {
    for (const entry of selection.filter(candidates.slice(at, at + SLICE))) matching.push(entry)
    await nextTurn()
  }
  return matching
}

interface Cut {
  candidates: Entry[]
  matching: Entry[]
  revision: number
  limit: number
}

function cut(ask: Ask, selection: Selection, { candidates, matching, revision, limit }: Cut): Page {
  const entries = matching.slice(0, limit)
  const end = entries.at(-1)
  // The rest is not scanned: there may be no further match.
  if (!end || entries.length < limit || end === candidates.at(-1)) return { entries, revision }
  const last = relativeKey(ask, end)
  const remaining = selection.everything ? { remaining: matching.length - limit } : {}
  return { entries, revision, continue: formatContinue({ revision, start: `${last}\0` }), ...remaining }
}

function snapshotOf(ask: Ask, at: Continuation): Entry[] {
  const {
    api: { store },
    keyspace,
    resource,
    target: { namespace },
  } = ask
  try {
    return store.list(
      { keyspace: keyspace.name, resource: resource.id },
      { namespace, at: at.revision < 0 ? undefined : at.revision },
    )
  } catch (error) {
    if (!(error instanceof RevisionCompacted)) throw error
    throw at.start === '' ? expired('The resourceVersion for the provided list is too old.') : tokenExpired(at.start)
  }
}

/** The token may still be used to get the rest as it is now. */
function tokenExpired(start: string): unknown {
  const error = kubeError(410, 'Expired', TOKEN_EXPIRED)
  error.status.metadata = { continue: formatContinue({ revision: -1, start }) }
  return error
}

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without '
  + 'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. '
  + 'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or '
  + 'deleted between the time the first chunk was returned and now may show up in the list.'

/** Keys in tokens are relative to the listed resource, so that a token reveals nothing about the store. */
function relativeKey(ask: Ask, entry: Entry): string {
  const { namespace } = ask.target
  return namespace === undefined ? entry.location.key : entry.location.key.slice(namespace.length + 1)
}

function formatContinue({ revision, start }: Continuation): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url')
}

function parseContinue(token: string): Continuation {
  if (!/^[A-Za-z0-9_-]*$/.test(token) || token.length % 4 === 1) {
    throw invalidToken('illegal base64 data at input byte 0')
  }
  const bytes = Buffer.from(token, 'base64url').toString('latin1')
  try {
    const { v, rv, start } = JSON.parse(bytes) as { v?: string; rv?: number; start?: string }
    if (v === 'meta.k8s.io/v1' && typeof rv === 'number' && rv !== 0 && typeof start === 'string') {
      return { revision: rv, start }
    }
  } catch {
    throw invalidToken(`invalid character ${goCharacter(bytes[0] ?? '')} looking for beginning of value`)
  }
  throw invalidToken('incorrect encoded start resourceVersion (version meta.k8s.io/v1)')
}

function goCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code > 0x7e || code < 0x20 ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${character}'`
}

function invalidToken(detail: string): unknown {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`)
}

function refuseBadOptions(query: URLSearchParams): void {
  const causes = [
    ...matchCauses(query),
    ...(booleanOf(query, 'sendInitialEvents') === undefined
      ? []
      : [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]),
  ]
  if (causes.length > 0) throw invalidOptions('ListOptions', causes)
}

function matchCauses(query: URLSearchParams): StatusCause[] {
  const match = query.get('resourceVersionMatch')
  if (match === null || match === '') return []
  const field = 'resourceVersionMatch'
  const causes: StatusCause[] = []
  if (!query.get('resourceVersion')) {
    causes.push(forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
  }
  if (query.get('continue')) {
    causes.push(forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided'))
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') causes.push(unsupportedMatch(match))
  if (match === 'Exact' && query.get('resourceVersion') === '0') {
    causes.push(forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  return causes
}

function unsupportedMatch(match: string): StatusCause {
  const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`
  return { reason: 'FieldValueNotSupported', message, field: 'resourceVersionMatch' }
}

function forbiddenField(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }
}
