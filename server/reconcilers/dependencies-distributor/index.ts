/** Propagates dependencies of a template to the clusters of the template. See README.md. */
import type { Kind } from '@/lib/kube/kind'
import { resourceBinding, resourceInterpreterCustomization } from '@/lib/kube/kinds'
import { BINDING_DEPENDENCIES_ANNOTATION } from '@/lib/kube/names'
import { objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { Change, Informers } from '@/server/kube/informer'
import { type Controller, type KeyQueue, watch } from '@/server/runtime/controller'
import type { Binding } from '../shared/binding-kinds'
import type { InterpreterContext } from '../shared/interpreter'
import { acquireTemplateKinds, type TemplateKindsLease } from '../shared/template-kinds'
import { dependentsOf, dependentsOfObject, indexBindings, mayHaveAttached, requirersOf } from './observe'
import { type DistributorMemory, reconcileDependencies } from './reconcile'

export interface DependenciesDistributorOptions {
  /** Default 4. */
  concurrency?: number
}

export function dependenciesDistributorController(
  context: InterpreterContext,
  { concurrency = 4 }: DependenciesDistributorOptions = {},
): Controller {
  const { informers } = context
  const memory: DistributorMemory = { conflicts: new Map() }
  // Before the first change event, because keys of dependencies are found through the index.
  indexBindings(informers)
  let templates: TemplateKindsLease | undefined
  return {
    name: 'dependencies-distributor',
    concurrency,
    watches: [
      watch({ kind: resourceBinding, relevant: isRelevant, keys: (change) => concernedBindings(context, change) }),
    ],
    reads: [resourceInterpreterCustomization],
    whenReady: async () => templates?.kinds.whenReady(),
    reconcile: (key) => reconcileDependencies(context, memory, key),
    start(queue) {
      const lease = acquireTemplateKinds(context)
      templates = lease
      const stop = lease.kinds.each((kind) => followDependencies(informers, kind, queue))
      return async () => {
        stop()
        lease.release()
      }
    },
  }
}

/** Enqueues the bindings that need a changed object. */
function followDependencies(informers: Informers, kind: Kind<UnknownObject>, queue: KeyQueue): Stop {
  return informers.of(kind).onChange((change) => {
    if (change.type === 'deleted') return
    for (const key of dependentsOfObject(informers, kind, change.object)) queue.add(key)
  })
}

/** Status changes are irrelevant. Recorded dependencies count, because new objects are looked up by them. */
function isRelevant(change: Change<Binding>): boolean {
  if (change.type !== 'updated') return true
  const {
    object: { metadata },
    old: { metadata: old },
  } = change
  const recorded = BINDING_DEPENDENCIES_ANNOTATION
  return (
    metadata.generation !== old.generation
    || metadata.deletionTimestamp !== old.deletionTimestamp
    || metadata.annotations?.[recorded] !== old.annotations?.[recorded]
  )
}

function concernedBindings({ informers }: InterpreterContext, change: Change<Binding>): ObjectKey[] {
  const versions =
    change.type === 'added' ? [change.object] : change.type === 'deleted' ? [change.old] : [change.object, change.old]
  const own = versions.some(mayHaveAttached) ? versions.slice(0, 1).map(objectKey) : []
  const waiting = change.type === 'deleted' ? dependentsOf(informers, change.old.spec.resource) : []
  return [...own, ...waiting, ...newOrLostRequirers(versions)]
}

/**
 * Bindings that started or stopped needing the binding are reconciled: it may refer to a deleted one, or may have been
 * attached by a reconcile with an outdated cache.
 */
function newOrLostRequirers(versions: readonly Binding[]): ObjectKey[] {
  const seen = versions.map((binding) => new Set(requirersOf(binding)))
  return seen.flatMap((keys) => [...keys]).filter((key) => !(seen.length > 1 && seen.every((keys) => keys.has(key))))
}
