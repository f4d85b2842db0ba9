/** Copies one object for a twin. */
import { configMap, cluster, customResourceDefinition, secret, work } from '@/lib/kube/kinds'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import { isKeptAnnotation } from './copied-kinds'

/**
 * Returns the object without history, foreign annotations, credentials, addresses and values, which must not be
 * exported and affect no decision. Undefined for a Secret.
 */
export function copyObject(object: UnknownObject): UnknownObject | undefined {
  if (object.kind === secret.kind && object.apiVersion === 'v1') return undefined
  const { apiVersion, kind, metadata, ...rest } = object
  return { apiVersion, kind, metadata: copiedMetadata(metadata), ...copiedContent(object, rest) }
}

function copiedMetadata(metadata: ObjectMeta): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp } = metadata
  const { labels, annotations = {}, ownerReferences, finalizers } = metadata
  const kept = Object.fromEntries(Object.entries(annotations).filter(([key]) => isKeptAnnotation(key)))
  // Only finalizers of Karmada and Evenkeel are kept, because only their controllers run in a twin and remove them.
  const own = finalizers?.filter((finalizer) => /(^|\.)(karmada|evenkeel)\.io\//.test(finalizer))
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion,
    ...(generation !== undefined && { generation }),
    creationTimestamp,
    ...(labels && { labels }),
    ...(Object.keys(kept).length > 0 && { annotations: kept }),
    ...(ownerReferences && { ownerReferences }),
    ...(own?.length && { finalizers: own }),
  }
}

type Content = Record<string, unknown>

function copiedContent(object: UnknownObject, content: Content): Content {
  switch (object.kind) {
    case configMap.kind:
      return { ...content, ...valuesOf(content, 'data'), ...valuesOf(content, 'binaryData') }
    case work.kind:
      return { ...content, spec: omit(content.spec as Content, 'workload') }
    case cluster.kind:
      return { ...content, spec: withoutAccess(content.spec as Content) }
    case customResourceDefinition.kind:
      return { spec: omit(content.spec as Content, 'conversion') }
    default:
      return withoutValues(content) as Content
  }
}

/** Keeps the keys, so that overrides still match. */
function valuesOf(content: Content, field: string): Content {
  const values = content[field]
  if (typeof values !== 'object' || values === null) return {}
  return { [field]: Object.fromEntries(Object.keys(values).map((key) => [key, ''])) }
}

/** Removes address and credentials, because a twin must not reach a member of the source. */
function withoutAccess(spec: Content): Content {
  return omit(
    spec,
    'apiEndpoint',
    'secretRef',
    'impersonatorSecretRef',
    'insecureSkipTLSVerification',
    'proxyURL',
    'proxyHeader',
  )
}

/** Removes the values of environment variables, which are often credentials. */
function withoutValues(value: unknown, field?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => (field === 'env' ? withoutValue(item) : withoutValues(item)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withoutValues(child, name)]))
}

function withoutValue(variable: unknown): unknown {
  return typeof variable === 'object' && variable !== null && 'value' in variable
    ? { ...variable, value: '' }
    : variable
}
