import type { Kind } from '@/lib/kube/kind'
import { type Resource, resourceOf } from './resource'

/** The kinds that a realm serves. */
export interface Registry {
  readonly resources: readonly Resource[]
  find(group: string, version: string, plural: string): Resource | undefined
  /** By what an object says of itself. */
  ofObject(apiVersion: string, kind: string): Resource | undefined
  hasGroup(group: string): boolean
  hasVersion(group: string, version: string): boolean
  /** True for a group whose kinds come from CustomResourceDefinitions, and for one that nobody serves. */
  isCustom(group: string): boolean
}

export function createRegistry(kinds: readonly Kind[]): Registry {
  const resources = kinds.map(resourceOf)
  const byPath = new Map(resources.map((resource) => [`${resource.apiVersion}/${resource.kind.plural}`, resource]))
  const byKind = new Map(resources.map((resource) => [`${resource.apiVersion} ${resource.kind.kind}`, resource]))
  const versions = new Set(resources.map((resource) => resource.apiVersion))
  const groups = new Map(resources.map(({ kind }) => [kind.group, kind.origin]))
  const apiVersion = (group: string, version: string): string => (group ? `${group}/${version}` : version)
  return {
    resources,
    find: (group, version, plural) => byPath.get(`${apiVersion(group, version)}/${plural}`),
    ofObject: (version, kind) => byKind.get(`${version} ${kind}`),
    hasGroup: (group) => groups.has(group),
    hasVersion: (group, version) => versions.has(apiVersion(group, version)),
    isCustom: (group) => (groups.get(group) ?? 'crd') === 'crd',
  }
}
