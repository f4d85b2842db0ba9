/** Objects in which the server publishes its own data. */
import { isAlreadyExists } from '@/lib/kube/errors'
import type { ConfigMap } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { RBAC_GROUP } from '@/lib/kube/rbac/names'
import type { Api, Scope } from '../api'
import { createObject } from '../registry/create'
import type { Keyspace } from '../registry/keyspace'
import { updateObject } from '../registry/update'
import { serverWriter } from '../registry/writer'

type KindName = readonly [group: string, version: string, plural: string]

const CONFIG_MAPS: KindName = ['', 'v1', 'configmaps']
const ROLES: KindName = [RBAC_GROUP, 'v1', 'roles']
const BINDINGS: KindName = [RBAC_GROUP, 'v1', 'rolebindings']

/** A kind that every key space serves. */
export function scopeOf(api: Api, keyspace: Keyspace, kind: KindName): Scope {
  return { api, keyspace, resource: keyspace.registry.find(...kind)! }
}

export const configMapsOf = (api: Api, keyspace: Keyspace): Scope => scopeOf(api, keyspace, CONFIG_MAPS)

interface Place {
  namespace: string
  name: string
}

/** Writes the entries of a ConfigMap; others stay. */
export async function publishData(
  api: Api,
  keyspace: Keyspace,
  { namespace, name, data }: Place & { data: Readonly<Record<string, string>> },
): Promise<void> {
  const scope = configMapsOf(api, keyspace)
  await ensure(scope, namespace, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  const key = `${namespace}/${name}`
  const entry = api.store.get({ keyspace: keyspace.name, resource: scope.resource.id, key })
  const change = (current: UnknownObject): UnknownObject =>
    ({ ...current, data: { ...(current as unknown as ConfigMap).data, ...data } }) as unknown as UnknownObject
  if (entry) await updateObject(scope, entry, { writer: serverWriter, change })
}

/** Who may read a ConfigMap. */
export interface Readers extends Place {
  configMap: string
  verbs: readonly string[]
  subjects: readonly { kind: 'User' | 'Group'; name: string }[]
  labels: Readonly<Record<string, string>>
}

/** Writes a Role and its RoleBinding, of the same name, if they are missing. */
export async function allowReading(api: Api, keyspace: Keyspace, readers: Readers): Promise<void> {
  const { namespace, name, configMap, verbs, labels } = readers
  const metadata = { name, labels }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [configMap], verbs }]
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name }
  const subjects = readers.subjects.map((subject) => ({ apiGroup: RBAC_GROUP, ...subject }))
  const apiVersion = `${RBAC_GROUP}/v1`
  await ensure(scopeOf(api, keyspace, ROLES), namespace, { apiVersion, kind: 'Role', metadata, rules })
  if (subjects.length === 0) return
  const binding = { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects }
  await ensure(scopeOf(api, keyspace, BINDINGS), namespace, binding)
}

async function ensure(scope: Scope, namespace: string, object: object): Promise<void> {
  try {
    await createObject(scope, object as UnknownObject, { writer: serverWriter, namespace })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
