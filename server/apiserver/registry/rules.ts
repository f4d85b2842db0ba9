/** Runs the strategy of a kind with the time and the ids of this server. */
import type { FieldError } from '@/lib/kube/field-error'
import { reviewDeletion } from '@/lib/kube/admission'
import { withUnsetTimes } from '@/lib/kube/unset-times'
import { fillRequired } from '@/lib/kube/go-encoding'
import type { UnknownObject } from '@/lib/kube/object'
import type { StatusContext } from '@/lib/kube/rules'
import { strategyOf, type WriteContext } from '@/lib/kube/strategy'
import { formatTime } from '@/lib/std/clock'
import type { Scope } from '../api'
import { OWN_CLIENT, type Writer } from './writer'

/** A part of an object that has its own endpoint. */
export type Subresource = StatusContext['part']

function contextOf({ api }: Scope, namespace: string | undefined, { writer, dryRun }: Written): WriteContext {
  const now = formatTime(api.clock.now())
  const warn = (text: string): void => writer.warn(text)
  return { namespace, now, uid: api.uid, upstream: api.upstream, writer: userBehind(writer), dryRun, warn }
}

interface Written {
  writer: Writer
  dryRun?: boolean | undefined
}

/** `<user> (<field manager>)`; undefined for this product's own loops and console, which leave their own notes. */
function userBehind({ caller, manager, untracked }: Writer): string | undefined {
  if (untracked || manager.startsWith(OWN_CLIENT)) return undefined
  return manager ? `${caller.user} (${manager})` : caller.user
}

/** The part of an object that a request is about; undefined for the whole. */
export function partOf(subresource: string | undefined): Subresource | undefined {
  return subresource === 'status' || subresource === 'approval' ? subresource : undefined
}

/** The new object, decoded, as it is to be stored. Throws 403 and 422. */
export function admitNew(scope: Scope, object: UnknownObject, written: Written): UnknownObject {
  return strategyOf(scope.resource.kind).admitNew(object, contextOf(scope, object.metadata.namespace, written))
}

/**
 * The changed object, decoded, as it is to be stored; `next` carries the old identity. Throws 403, and 422 with the
 * findings that there are already.
 */
export function admitChange(
  scope: Scope,
  { next, old, findings }: { next: UnknownObject; old: UnknownObject; findings: readonly FieldError[] },
  { subresource, ...written }: Written & { subresource?: Subresource | undefined },
): UnknownObject {
  const strategy = strategyOf(scope.resource.kind)
  if (subresource) {
    const admitted = strategy.admitStatus(next, old, {
      part: subresource,
      now: formatTime(scope.api.clock.now()),
      findings,
      warn: (text) => written.writer.warn(text),
    })
    return typedStatus(scope, admitted, written.writer)
  }
  return strategy.admitUpdate(next, old, { ...contextOf(scope, old.metadata.namespace, written), findings })
}

/**
 * An object with its status as a typed server writes it. The loops of this product compare what they wrote: they get it
 * back as they wrote it.
 */
export function typedStatus(
  scope: Scope,
  object: UnknownObject,
  { untracked }: Pick<Writer, 'untracked'>,
): UnknownObject {
  return untracked ? object : withUnsetTimes(scope.resource.kind, withZeros(scope, object))
}

/** A typed server writes every field that its types do not leave out, whatever was sent. */
function withZeros({ resource: { kind } }: Scope, object: UnknownObject): UnknownObject {
  const status = kind.origin === 'builtin' ? kind.schema.properties?.status : undefined
  if (!status || object.status === undefined) return object
  const filled = fillRequired(object.status, status)
  return filled === object.status ? object : { ...object, status: filled }
}

/** An object as a webhook is to see it: decoded, with every field that has a default or that the server adds. */
export function completed({ resource }: Scope, object: UnknownObject, old?: UnknownObject): UnknownObject {
  return strategyOf(resource.kind).complete(object, old)
}

/** The object as its deletion begins. */
export function prepareRemoval(scope: Scope, object: UnknownObject): UnknownObject {
  return strategyOf(scope.resource.kind).prepareForRemoval(object, formatTime(scope.api.clock.now()))
}

/** Throws 403 for objects that are protected from deletion. */
export function admitRemoval(object: UnknownObject): void {
  reviewDeletion(object)
}
