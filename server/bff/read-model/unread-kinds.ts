/** The one place that decides which kinds of a list are not read for its reader, and why. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { type Message, message } from '@/lib/messages/message'
import type { UnreadKind, UnreadReason } from '@/lib/view/unread'
import type { Place, ResourceName, Scope } from '../access/access'
import { nameOfResource, resourceOf } from '../access/resources'
import { KINDS_READ } from '../cache/control-plane-cache'
import type { ConsoleUnread } from '../cache/served-kinds'

/** Why the console reads nothing of a kind; undefined if it does. */
export type ReasonOfKind = (kind: Kind) => ConsoleUnread | undefined

/** As it is told, before the sentence is put into a language. */
export type Unread = Omit<UnreadKind, 'sentence'> & { sentence: Message }

/** What keeps the reader from the objects of one place. */
export function unreadIn(place: Place, scope: Scope, why: ReasonOfKind): Unread | undefined {
  const kind = kindOf(place)
  const reason = why(kind)
  // A permission would not help: the control plane does not serve the kind.
  if (reason === 'NotServed') return told(kind, reason, place)
  const isSeen = place.namespace === undefined ? scope.seesAny(place) : scope.sees(place)
  if (!isSeen) return told(kind, 'NoPermission', place)
  return reason && told(kind, reason, place)
}

/** Of the kinds that a list shows, those that are not read, and whether these are all of them. */
export function unreadOf(
  resources: readonly ResourceName[],
  scope: Scope,
  why: ReasonOfKind,
): { unread: readonly Unread[]; isAll: boolean } {
  const unread = resources.flatMap((resource) => unreadIn(resource, scope, why) ?? [])
  return { unread, isAll: resources.length > 0 && unread.length === resources.length }
}

/**
 * Returns the kinds to name above a list of other kinds. A missing permission is named only to readers who see each of the
 * other kinds in every namespace or not at all, since they would take the list for complete.
 */
export function worthNoting(unread: readonly Unread[], resources: readonly ResourceName[], scope: Scope): Unread[] {
  const seen = resources.filter((resource) => scope.seesAny(resource))
  const seesEachEverywhere = seen.length > 0 && seen.every((resource) => scope.seesAll(resource))
  return unread.filter(({ reason }) => reason !== 'NoPermission' || seesEachEverywhere)
}

const BY_RESOURCE: ReadonlyMap<string, Kind> = new Map(
  KINDS_READ.map((kind) => [nameOfResource(resourceOf(kind)), kind]),
)

function kindOf(place: ResourceName): Kind {
  const kind = BY_RESOURCE.get(nameOfResource(place))
  if (!kind) throw new Error(`${nameOfResource(place)} is no kind that the console reads`)
  return kind
}

function told(kind: Kind, reason: UnreadReason, { namespace = '' }: Place): Unread {
  return { kind: kind.kind, reason, sentence: sentenceOf(kind, reason, namespace) }
}

function sentenceOf(kind: Kind, reason: UnreadReason, namespace: string): Message {
  const resource = nameOfResource(resourceOf(kind))
  switch (reason) {
    case 'NotServed':
      return message('api.unread.notServed', { apiVersion: apiVersionOf(kind), resource, owner: ownerOf(kind) })
    case 'NoPermission':
      // The same whether anything is there or not.
      return message('api.live.mayNotList', { resource, namespace, scope: namespace === '' ? 'all' : 'namespace' })
    case 'ConsoleHasNoPermission':
      return message('api.unread.consoleMayNot', { resource })
    case 'NotKnown':
      return message('api.unread.notKnown', { kind: kind.kind })
  }
}

/** Who brings the definition of the kind. */
function ownerOf({ group }: Kind): 'evenkeel' | 'kruise' | 'karmada' | 'kubernetes' {
  if (group === 'evenkeel.io') return 'evenkeel'
  if (group === 'apps.kruise.io') return 'kruise'
  return group.endsWith('.karmada.io') ? 'karmada' : 'kubernetes'
}
