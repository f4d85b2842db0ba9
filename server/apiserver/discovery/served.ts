import { REQUESTS } from '../certificates/entitlement'
import type { Resource } from '../registry/resource'

/** A line of an APIResourceList: a kind or one of its subresources. */
export interface Served {
  owner: Resource
  /** `deployments` or `deployments/scale`. */
  name: string
  singularName: string
  namespaced: boolean
  kind: string
  /** Group and version of a subresource's kind, if they differ. */
  as?: { group: string; version: string }
  verbs: string[]
  shortNames?: readonly string[]
  categories?: readonly string[]
}

const BUILTIN_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const ON_STATUS = ['get', 'patch', 'update']
/** Into a running container. */
const REACH = ['create', 'get']

function verbsOf({ id, kind, custom }: Resource): string[] {
  if (id === 'namespaces') return BUILTIN_VERBS.filter((verb) => verb !== 'deletecollection')
  if (kind.transient) return ['create']
  if (kind.readOnly) return ['get', 'list']
  return custom ? CUSTOM_VERBS : BUILTIN_VERBS
}

/** The kind itself, then its subresources. */
export function servedResources(owner: Resource): Served[] {
  const { kind } = owner
  const namespaced = kind.scope === 'Namespaced'
  const sub = (name: string, word: string, verbs: string[]): Served => ({
    owner,
    name: `${kind.plural}/${name}`,
    singularName: '',
    namespaced,
    kind: word,
    verbs,
  })
  const { plural: name, singular: singularName, shortNames, categories } = kind
  const found: Served[] = [
    { owner, name, singularName, namespaced, kind: kind.kind, verbs: verbsOf(owner), shortNames, categories },
  ]
  if (kind.subresources.scale) {
    found.push({ ...sub('scale', 'Scale', ON_STATUS), as: { group: 'autoscaling', version: 'v1' } })
  }
  if (owner.id === 'pods') {
    found.push(sub('attach', 'PodAttachOptions', REACH), sub('binding', 'Binding', ['create']))
    found.push({ ...sub('eviction', 'Eviction', ['create']), as: { group: 'policy', version: 'v1' } })
    found.push(sub('exec', 'PodExecOptions', REACH), sub('log', 'Pod', ['get']))
    found.push(sub('portforward', 'PodPortForwardOptions', REACH))
  }
  if (owner.id === 'namespaces') found.push(sub('finalize', 'Namespace', ['update']))
  if (owner.id === 'serviceaccounts') {
    found.push({ ...sub('token', 'TokenRequest', ['create']), as: { group: 'authentication.k8s.io', version: 'v1' } })
  }
  if (owner.id === REQUESTS) found.push(sub('approval', kind.kind, ON_STATUS))
  if (kind.subresources.status) found.push(sub('status', kind.kind, ON_STATUS))
  return found
}
