/** One object as a twin gets it. */
import { configMap, cluster, customResourceDefinition, secret, work } from '@/lib/kube/kinds'
import type { ObjectMeta, UnknownObject } from '@/lib/kube/object'
import { omit } from '@/lib/std/omit'
import { isKeptAnnotation } from './copied-kinds'

/**
 * The object without history, foreign annotations, credentials, addresses and values: what a rehearsal may not know, and
 * what decides about nothing. Undefined for a Secret.
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
  // Only controllers of Karmada run in a twin and remove their finalizers.
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

/** Keys remain, so that overrides still find them. */
function valuesOf(content: Content, field: string): Content {
  const values = content[field]
  if (typeof values !== 'object' || values === null) return {}
  return { [field]: Object.fromEntries(Object.keys(values).map((key) => [key, ''])) }
}

/** A twin reaches no member of the source: neither address nor credentials are in it. */
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

/** Values of environment variables are often credentials. */
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
