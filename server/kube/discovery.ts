/** Discovers the kinds that an API server serves. */
import { kubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { UnknownObject } from '@/lib/kube/object'
import type { KubeClient } from './client'

/** A kind that a server serves. */
export interface ServedKind {
  kind: Kind<UnknownObject>
  verbs: readonly string[]
  /** False for versions of a resource other than the preferred one. */
  preferred: boolean
}

/** The served kinds, and the group versions whose discovery failed. */
export interface Discovery {
  kinds: readonly ServedKind[]
  /** As `group/version`. */
  unanswered: readonly string[]
}

/**
 * Returns every served kind in every version. A group that does not answer is listed in `unanswered` instead of failing
 * the discovery. Rejects if the list of groups cannot be read.
 */
export async function discoverKinds(client: KubeClient): Promise<Discovery> {
  const groups = await readGroups(client)
  const versions = groups.flatMap(({ name, versions: served }) => served.map((version) => ({ group: name, version })))
  const answers = await Promise.all(versions.map((version) => readResources(client, version)))
  const found = answers.flatMap((answer) => answer ?? [])
  return {
    kinds: withPreference(found),
    unanswered: versions.filter((_, index) => answers[index] === undefined).map(apiVersionOf),
  }
}

/** Returns the kinds of one group version; none when the server does not serve it. Rejects when it does not answer. */
export async function discoverVersion(client: KubeClient, apiVersion: string): Promise<readonly Kind<UnknownObject>[]> {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const found = await readResources(client, { group, version })
  if (!found) throw kubeError(503, 'ServiceUnavailable', `${apiVersion} cannot be discovered`)
  return found.map(({ kind }) => kind)
}

interface Group {
  name: string
  /** The preferred version first. */
  versions: readonly string[]
}

interface GroupList {
  groups?: { name: string; versions?: { version: string }[]; preferredVersion?: { version: string } }[]
}

async function readGroups(client: KubeClient): Promise<Group[]> {
  const { status, body } = await client.raw('GET', '/apis')
  if (status !== 200) throw kubeError(status, 'ServiceUnavailable', 'the groups of the server cannot be read')
  const groups = ((body as GroupList).groups ?? []).map(({ name, versions = [], preferredVersion }) => {
    const names = versions.map(({ version }) => version)
    const first = preferredVersion?.version
    return { name, versions: first === undefined ? names : [first, ...names.filter((version) => version !== first)] }
  })
  return [{ name: '', versions: ['v1'] }, ...groups]
}

interface ResourceEntry {
  name: string
  singularName?: string
  namespaced?: boolean
  kind: string
  verbs?: string[]
  shortNames?: string[]
  categories?: string[]
}

type Found = Omit<ServedKind, 'preferred'>

/** Returns undefined if the server did not answer properly, and an empty list if it does not serve the version. */
async function readResources(
  client: KubeClient,
  version: Pick<Kind, 'group' | 'version'>,
): Promise<Found[] | undefined> {
  const { status, body } = await client.raw('GET', `${version.group ? '/apis' : '/api'}/${apiVersionOf(version)}`)
  if (status === 404) return []
  const { resources } = body as { resources?: ResourceEntry[] }
  if (status !== 200 || !resources) return undefined
  const hasStatus = new Set(resources.map(({ name }) => name).filter((name) => name.endsWith('/status')))
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((entry) => ({ kind: kindOf(version, entry, hasStatus.has(`${entry.name}/status`)), verbs: entry.verbs ?? [] }))
}

/** Returns a kind as discovery describes it, without its fields. */
function kindOf(
  { group, version }: Pick<Kind, 'group' | 'version'>,
  entry: ResourceEntry,
  status: boolean,
): Kind<UnknownObject> {
  const { kind, name, singularName, namespaced, shortNames = [], categories = [] } = entry
  return {
    group,
    version,
    kind,
    plural: name,
    listKind: `${kind}List`,
    singular: singularName || kind.toLowerCase(),
    shortNames,
    categories,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    origin: group.includes('.') && !group.endsWith('.k8s.io') ? 'crd' : 'builtin',
    subresources: { status },
    printerColumns: [],
    schema: { type: 'object' } as Kind<UnknownObject>['schema'],
  }
}

/** Marks the preferred version of each resource: groups list their preferred version first. */
function withPreference(found: readonly Found[]): ServedKind[] {
  const named = new Set<string>()
  return found.map((served) => {
    const resource = `${served.kind.plural}.${served.kind.group}`
    const preferred = !named.has(resource)
    named.add(resource)
    return { ...served, preferred }
  })
}
