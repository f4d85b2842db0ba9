import { apiVersionOf, type Kind, resourceName } from '@/lib/kube/kind'
import type { Entry } from '../store/store'

/** A kind as it is served: what follows from its definition and is needed on every request. */
export interface Resource {
  kind: Kind
  /** `plural.group`: where its objects are in the store. */
  id: string
  apiVersion: string
  /**
   * True when the kind comes from a CustomResourceDefinition: other patch types, other words, other generation rules.
   */
  custom: boolean
  /** What every stored object begins with; lists of built-in kinds leave it out of their items. */
  prefix: string
}

export function resourceOf(kind: Kind): Resource {
  const apiVersion = apiVersionOf(kind)
  return {
    kind,
    id: resourceName(kind),
    apiVersion,
    custom: kind.origin === 'crd',
    prefix: `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
  }
}

/** An object as an item of its list. */
export function itemJson(resource: Resource, entry: Entry): string {
  return resource.custom ? entry.json : `{${entry.json.slice(resource.prefix.length)}`
}

/** The key of an object: `namespace/name`, or `name`. */
export function keyIn(resource: Resource, namespace: string | undefined, name: string): string {
  return resource.kind.scope === 'Namespaced' ? `${namespace ?? ''}/${name}` : name
}
