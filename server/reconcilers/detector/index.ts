/** Claims templates for policies and keeps a binding for each. See README.md. */
import {
  DEFAULT_SKIPPED_NAMESPACES, isPropagatable, isTemplateChange, isUserChange, type Policy,
} from '@/lib/domain/propagation'
import type { Kind } from '@/lib/kube/kind'
import type { ObjectKey, UnknownObject } from '@/lib/kube/object'
import type { Change } from '@/server/kube/informer'
import { type Controller, type ReconcilerContext, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds } from '../shared/binding-kinds'
import { findTemplateKind, templateKinds } from '../shared/template-kinds'
import { parseDetectorKey, policyKeyOf, policyKinds, templateKeyOf } from './keys'
import { indexByClaim } from './observe'
import { type DetectorMemory, finalizePolicy, reconcilePolicy, reconcileTemplate } from './reconcile'

export interface DetectorOptions {
  /** The kinds that policies may select. Default: all known ones but those of the control plane itself. */
  kinds?: readonly Kind<UnknownObject>[]
  /** Objects of namespaces that match are never propagated. Default: `kube-*`. */
  skippedNamespaces?: readonly RegExp[]
  /** Default 8. */
  concurrency?: number
}

export function detectorController(context: ReconcilerContext, options: DetectorOptions = {}): Controller {
  const { kinds = templateKinds, skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES, concurrency = 8 } = options
  const memory: DetectorMemory = { waiting: new Map(), changedByUser: new Set(), applied: new Map(), queue: undefined }
  return {
    name: 'detector',
    concurrency,
    watches: [
      ...kinds.map(kind => watch({
        kind,
        relevant: change => isRelevant(change, skippedNamespaces),
        keys: change => noteTemplate(memory, kind, change),
      })),
      ...policyKinds.map(kind => watch({
        kind,
        relevant: isPolicyChange,
        keys: change => change.type === 'deleted' ? [] : [policyKeyOf(kind, change.object)],
      })),
      ...bindingKinds.map(kind => watch({ kind, relevant: ({ type }) => type === 'deleted', keys: templateOfLostBinding })),
    ],
    reconcile: key => reconcileKey(context, memory, key),
    priority: key => key.startsWith('policy:') ? 1 : 0,
    start(queue) {
      memory.queue = queue
      indexByClaim(context.informers, kinds)
    },
  }
}

async function reconcileKey(context: ReconcilerContext, memory: DetectorMemory, text: ObjectKey): Promise<void> {
  const parsed = parseDetectorKey(text)
  if (parsed.type === 'policy') {
    const policy = context.informers.of(parsed.kind).get(parsed.key)
    if (policy?.metadata.deletionTimestamp) await finalizePolicy(context, parsed.kind, policy)
    else if (policy) await reconcilePolicy(context, memory, policy)
    return
  }
  const kind = findTemplateKind(parsed.apiVersion, parsed.kind)
  const template = kind && context.informers.of(kind).get(parsed.key)
  if (template) return reconcileTemplate(context, memory, { kind, template })
  memory.waiting.delete(text)
  memory.changedByUser.delete(text)
  memory.applied.delete(text)
}

function isRelevant(change: Change<UnknownObject>, skippedNamespaces: readonly RegExp[]): boolean {
  const object = change.type === 'deleted' ? change.old : change.object
  if (!isPropagatable(object, skippedNamespaces)) return false
  return change.type !== 'updated' || isTemplateChange(change.old, change.object)
}

function noteTemplate(memory: DetectorMemory, kind: Kind<UnknownObject>, change: Change<UnknownObject>): ObjectKey[] {
  const key = templateKeyOf(kind, change.type === 'deleted' ? change.old : change.object)
  if (change.type === 'added' || (change.type === 'updated' && isUserChange(change.old, change.object))) {
    memory.changedByUser.add(key)
  }
  return [key]
}

/** A binding that was deleted while its template is still there is made again. */
function templateOfLostBinding(change: Change<Binding>): ObjectKey[] {
  if (change.type !== 'deleted') return []
  const { apiVersion, kind: name, namespace, name: template } = change.old.spec.resource
  const kind = findTemplateKind(apiVersion, name)
  return kind ? [templateKeyOf(kind, { metadata: { name: template, ...(namespace && { namespace }) } })] : []
}

function isPolicyChange(change: Change<Policy>): boolean {
  if (change.type !== 'updated') return true
  const { generation, deletionTimestamp } = change.object.metadata
  const old = change.old.metadata
  return generation !== old.generation || deletionTimestamp !== old.deletionTimestamp
}
