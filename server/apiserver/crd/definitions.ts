/**
 * Brings CustomResourceDefinitions to life, in every keyspace for itself: gives out their names, serves their kinds, and
 * takes the objects away with their definition.
 */
import { acceptNames, isTrue, takenNames } from '@/lib/kube/custom-resource/acceptance'
import { kindsOf } from '@/lib/kube/custom-resource/definition-kinds'
import { CLEANUP_FINALIZER } from '@/lib/kube/custom-resource/definition-rules'
import { resourceName } from '@/lib/kube/kind'
import { customResourceDefinition, type CustomResourceDefinition } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { formatTime } from '@/lib/std/clock'
import { deepEqual } from '@/lib/std/equal'
import type { Api, Scope } from '../api'
import { createKeyController } from '../controllers/key-controller'
import type { Controller } from '../controllers/namespaces'
import { withMetadata } from '../registry/metadata'
import type { Keyspace } from '../registry/keyspace'
import { removeObject } from '../registry/remove'
import type { Resource } from '../registry/resource'
import { updateObject } from '../registry/update'
import { serverWriter } from '../registry/writer'
import type { Entry, StoreEvent } from '../store/store'
import { resourcesOf } from './conversion'

const DEFINITIONS = resourceName(customResourceDefinition)
const writer = serverWriter

/** Serves existing definitions before it resolves, and follows every change. `keyspaceOf` may create a keyspace. */
export async function startDefinitions(
  api: Api,
  keyspaceOf: (name: string) => Keyspace | undefined,
): Promise<Controller> {
  const known = new KnownResources()
  const terminating = new Set<string>()
  const refresh = async (name: string): Promise<void> => {
    const keyspace = keyspaceOf(name)
    if (keyspace) await new Definitions(api, keyspace, { known, terminating }).refresh()
  }
  const loop = createKeyController('definitions', api, refresh)
  const look = ({ entry: { location }, type }: StoreEvent): void => {
    const { keyspace, resource } = location
    if (resource === DEFINITIONS || (type === 'delete' && terminating.has(`${keyspace} ${resource}`)))
      loop.add(keyspace)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const keyspace of api.store.keyspaces()) await refresh(keyspace)
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

interface Memory {
  known: KnownResources
  /** `keyspace resource` of kinds whose objects are being deleted. */
  terminating: Set<string>
}

/** The definitions of one keyspace. */
class Definitions {
  constructor(
    private readonly api: Api,
    private readonly keyspace: Keyspace,
    private readonly memory: Memory,
  ) {}

  /** Updates all definitions, again after each change, because their number is small. */
  async refresh(): Promise<void> {
    const scope = this.scope()
    if (!scope) return
    for (const entry of this.entries()) await this.giveNames(scope, entry)
    this.serve()
    for (const entry of this.entries()) {
      if (entry.value.metadata.deletionTimestamp !== undefined) await this.remove(scope, entry)
    }
    this.serve()
  }

  private scope(): Scope | undefined {
    const resource = this.keyspace.registry.inStore(DEFINITIONS)
    return resource && { api: this.api, keyspace: this.keyspace, resource }
  }

  private entries(): Entry[] {
    return this.api.store.list({ keyspace: this.keyspace.name, resource: DEFINITIONS })
  }

  /** Assigns names in the order of creation: a definition keeps its names. */
  private async giveNames(scope: Scope, entry: Entry): Promise<void> {
    if (entry.value.metadata.deletionTimestamp !== undefined) return
    const change = (current: UnknownObject): UnknownObject => {
      const own = definitionOf(current)
      const others = this.entries()
        .map(({ value }) => definitionOf(value))
        .filter(({ metadata, spec }) => spec.group === own.spec.group && metadata.name !== own.metadata.name)
      return { ...current, status: acceptNames(own, takenNames(others), formatTime(this.api.clock.now())) }
    }
    if (deepEqual(change(entry.value), entry.value)) return
    await updateObject(scope, entry, { writer, subresource: 'status', change })
  }

  /** Built-in kinds are not affected by a definition of the same name. */
  private serve(): void {
    const { registry } = this.keyspace
    const established = this.entries().filter(({ value }) => isTrue(definitionOf(value).status, 'Established'))
    const resources = established.flatMap((entry) =>
      registry.isBuiltIn(entry.location.key) ? [] : this.memory.known.of(this.api, this.keyspace.name, entry),
    )
    for (const { id } of registry.serveCustom(resources)) {
      this.api.hub.endBucket({ keyspace: this.keyspace.name, resource: id })
    }
  }

  private async remove(scope: Scope, entry: Entry): Promise<void> {
    const id = `${this.keyspace.name} ${entry.location.key}`
    this.memory.terminating.add(id)
    const left = this.keyspace.registry.isBuiltIn(entry.location.key) ? 0 : await this.removeObjects(entry)
    if (left > 0) return
    this.memory.terminating.delete(id)
    const change = (current: UnknownObject): UnknownObject => {
      const finalizers = (current.metadata.finalizers ?? []).filter((name) => name !== CLEANUP_FINALIZER)
      return withMetadata(current, { finalizers })
    }
    await updateObject(scope, entry, { writer, change })
  }

  /** Answers how many objects are held by finalizers. */
  private async removeObjects({ location: { key } }: Entry): Promise<number> {
    const resource = this.keyspace.registry.inStore(key)
    if (!resource) return 0
    const scope = { api: this.api, keyspace: this.keyspace, resource }
    const outcomes = this.api.store
      .list({ keyspace: this.keyspace.name, resource: key })
      .map(async (entry) => (await removeObject(scope, entry, { writer, propagation: 'Background' })).gone)
    return (await Promise.all(outcomes)).filter((gone) => !gone).length
  }
}

function definitionOf(object: UnknownObject): CustomResourceDefinition {
  return object as unknown as CustomResourceDefinition
}

/** Resources of definitions, created once per state, so that unchanged kinds are not disturbed. */
class KnownResources {
  private readonly made = new Map<string, { state: string; resources: Resource[] }>()

  of(api: Api, keyspace: string, { value }: Entry): Resource[] {
    const definition = definitionOf(value)
    const {
      metadata: { uid, generation },
      status,
    } = definition
    const id = `${keyspace} ${uid}`
    const state = `${generation} ${JSON.stringify(status?.acceptedNames)}`
    const known = this.made.get(id)
    if (known?.state === state) return known.resources
    const resources = resourcesOf(api, keyspace, { definition, kinds: kindsOf(definition) })
    this.made.set(id, { state, resources })
    return resources
  }
}
