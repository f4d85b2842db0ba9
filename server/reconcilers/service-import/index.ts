/** Turns each ServiceImport into the Service that it stands for. See README.md. */
import { derivedService } from '@/lib/domain/services'
import { isNotFound } from '@/lib/kube/errors'
import { service as serviceKind, type Service } from '@/lib/kube/kinds'
import { serviceImport, type ServiceImport } from '@/lib/kube/kinds/service-import'
import { derivedServiceNameOf } from '@/lib/kube/names'
import { keyOf, type ObjectKey } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import { createOrChange, writeStatusFields } from '../shared/object-writes'

const COMPONENT = 'service-import-controller'
const DERIVED = derivedServiceNameOf('')

export function serviceImportController(context: ReconcilerContext): Controller {
  const imports = context.informers.of(serviceImport)
  const importOf = (change: Change<Service>): ObjectKey[] => {
    const { namespace = '', name } = (change.type === 'deleted' ? change.old : change.object).metadata
    const key = keyOf({ namespace, name: name.slice(DERIVED.length) })
    // Without an import, the Service is another one of such a name.
    return name.startsWith(DERIVED) && imports.get(key) ? [key] : []
  }
  return {
    name: 'service-import',
    watches: [watch({ kind: serviceImport }), watch({ kind: serviceKind, keys: importOf })],
    reconcile: async (key) => {
      const object = imports.get(key)
      if (!object) return removeDerived(context, key)
      if (object.metadata.deletionTimestamp || object.spec?.type !== 'ClusterSetIP') return
      await derive(context, object)
    },
  }
}

async function removeDerived({ client }: ReconcilerContext, key: ObjectKey): Promise<void> {
  const [namespace = '', name = ''] = key.split('/')
  try {
    await client.delete(serviceKind, { namespace, name: derivedServiceNameOf(name) })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

async function derive(context: ReconcilerContext, object: ServiceImport): Promise<void> {
  try {
    const written = await keepService(context, object)
    if (!written) return
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    tell(context, object, { type: 'Warning', reason: 'SyncDerivedServiceFailed', message })
    throw error
  }
  // upstream: service-import-controller
  const message = `Sync derived service for serviceImport(${object.metadata.name}) succeed.`
  tell(context, object, { type: 'Normal', reason: 'SyncDerivedServiceSucceed', message })
}

/** Returns whether anything was written. */
async function keepService({ client, informers }: ReconcilerContext, object: ServiceImport): Promise<boolean> {
  const { namespace = '', name } = object.metadata
  const ref = { namespace, name: derivedServiceNameOf(name) }
  const existing = informers.of(serviceKind).get(keyOf(ref))
  const changed = await createOrChange(client, serviceKind, { existing, to: derivedService(object, existing) })
  const ips = object.spec?.ips ?? []
  const present = existing ?? (ips.length > 0 ? await client.get(serviceKind, ref) : undefined)
  if (!present) return changed
  const loadBalancer = ips.length > 0 ? { ingress: ips.map((ip) => ({ ip })) } : {}
  const reported = await writeStatusFields(client, serviceKind, { object: present, fields: { loadBalancer } })
  return changed || reported !== undefined
}

interface Told {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

function tell({ events }: ReconcilerContext, object: ServiceImport, told: Told): void {
  events.record({ component: COMPONENT, ...told, regarding: referenceTo(serviceImport, object) })
}
