/** Refusals of objects of another kind or version than the path names, in the words of kube-apiserver. */
import { type FieldError, invalidError, invalidField } from '@/lib/kube/field-error'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import { strategyOf } from '@/lib/kube/strategy'
import { ownField } from '@/lib/std/fields'
import { badRequest } from './failures'
import { isEncodable } from './protobuf/encode'

export interface Expected {
  kind: string
  apiVersion: string
  /** How a refusal calls the kind that an object cannot be converted to, where it is no kind of the group. */
  word?: string
  /** Earlier versions of it that are read like this one. */
  former?: readonly string[]
  /** True for a kind that a definition makes. */
  custom?: boolean
  /** What in an object does not fit the type that it would be read into. */
  misfitOf?(object: unknown): string | undefined
  /** What else is refused in an object of another kind of the same version. */
  alsoWrong?(object: unknown): readonly FieldError[]
  /** Called with an object of another version. */
  inOtherVersion?(object: unknown): void
}

/** What an object says that it is. */
export interface Claimed {
  kind: string
  apiVersion: string
  name: string | undefined
}

/** Where the kinds are registered; it depends on the build. */
const SCHEME = 'pkg/runtime/scheme.go:111'

/** The refusal of an object that claims to be something else. */
export function wrongKind(claimed: Claimed, expected: Expected, object?: unknown): unknown {
  const { kind, apiVersion } = claimed
  if (expected.custom) return wrongCustomKind(claimed, expected, object)
  const version = versionOf(apiVersion)
  const handled = `${kind} in version "${version}" cannot be handled as a ${expected.kind}`
  if (!isKnown(apiVersion, kind)) {
    const unknown = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`
    return badRequest(`${handled}: ${unknown} in scheme ${JSON.stringify(SCHEME)}`)
  }
  if (kind === expected.kind) return wrongVersion(apiVersion, expected)
  // It is read as what it says before it is converted.
  const own = ofKind(apiVersion, kind)
  const misfit = own && object !== undefined ? strategyOf(own).mismatchOf(object) : undefined
  if (misfit !== undefined) return badRequest(`${handled}: ${misfit}`)
  const to = expected.word ?? `${packageOf(expected.apiVersion)}.${expected.kind}`
  return badRequest(`${handled}: converting (${version}.${kind}) to (${to}): unknown conversion`)
}

const ofKind = (apiVersion: string, name: string): Kind | undefined =>
  allKinds.find((kind) => kind.origin === 'builtin' && kind.kind === name && apiVersionOf(kind) === apiVersion)

function wrongCustomKind({ kind, apiVersion, name = '' }: Claimed, expected: Expected, object: unknown): unknown {
  const misfit = object === undefined ? undefined : expected.misfitOf?.(object)
  if (misfit !== undefined)
    return badRequest(
      `${kind} in version "${versionOf(apiVersion)}" cannot be handled as a ${expected.kind}: ${misfit}`,
    )
  if (apiVersion !== expected.apiVersion) {
    if (object !== undefined && kind === expected.kind) expected.inOtherVersion?.(object)
    return wrongVersion(apiVersion, expected)
  }
  const group = apiVersion.slice(0, apiVersion.indexOf('/'))
  return invalidError({ kind, group }, name, [
    invalidField('kind', kind, `must be ${expected.kind}`),
    ...(object === undefined ? [] : (expected.alsoWrong?.(object) ?? [])),
  ])
}

function wrongVersion(apiVersion: string, expected: Expected): unknown {
  const wanted = `does not match the expected API version (${expected.apiVersion})`
  return badRequest(`the API version in the data (${apiVersion}) ${wanted}`)
}

/** The version without its group. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1)
}

/** Kinds in versions that are no longer served, and still understood. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  'apps/v1beta1': ['ControllerRevision', 'Deployment', 'StatefulSet'],
  'apps/v1beta2': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'batch/v1beta1': ['CronJob'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
  'extensions/v1beta1': ['DaemonSet', 'Deployment', 'Ingress', 'NetworkPolicy', 'ReplicaSet'],
  'networking.k8s.io/v1beta1': ['Ingress'],
  'policy/v1beta1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1beta1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'storage.k8s.io/v1beta1': ['StorageClass'],
}

/** Reports whether kube-apiserver could read such an object, whatever it does with it. */
export function isKnown(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'v1' && kind === 'List') return true
  return isEncodable(apiVersion, kind) || (ownField(FORMER, apiVersion)?.includes(kind) ?? false)
}

/** The name by which kube-apiserver calls the internal kinds of a group. */
export function packageOf(apiVersion: string): string {
  if (!apiVersion.includes('/') || apiVersion.startsWith('events.k8s.io/')) return 'core'
  return apiVersion.slice(0, apiVersion.search(/[./]/))
}
