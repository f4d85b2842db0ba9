/** Claims templates for policies and maintains a binding for each. See README.md. */
import {
  DEFAULT_SKIPPED_NAMESPACES,
  isPropagatable,
  isTemplateChange,
  isUserChange,
  policiesToPreempt,
  type Policy,
} from '@/lib/domain/propagation'
import { suspendingPolicyOf } from '@/lib/domain/queue'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { ObjectKey, UnknownObject } from '@/lib/kube/object'
import type { Stop } from '@/lib/std/clock'
import type { Change } from '@/server/kube/informer'
import { type Controller, watch } from '@/server/runtime/controller'
import { type Binding, bindingKinds } from '../shared/binding-kinds'
import { type CompatibilityProfile, evenkeelProfile } from '../shared/compatibility'
import { type InterpreterContext, interpreterKinds, onInterpreterChange } from '../shared/interpreter'
import { acquireTemplateKinds, findTemplateKind } from '../shared/template-kinds'
import { parseDetectorKey, policyKeyOf, policyKinds, templateKeyOf } from './keys'
import { indexByClaim } from './observe'
import { type DetectorMemory, finalizePolicy, reconcilePolicy, reconcileTemplate } from './reconcile'

export interface DetectorOptions extends Partial<CompatibilityProfile['detector']> {
  /** Objects in matching namespaces are never propagated. Default: `kube-*`. */
  skippedNamespaces?: readonly RegExp[]
  /**
   * Policies with `preemption: Always` take over templates of policies with lower precedence. Default false, as
   * upstream's feature gate.
   */
  preemption?: boolean
  /** Record the groups of workload affinity in bindings. Default false, as upstream's feature gate. */
  workloadAffinity?: boolean
  /** Schedule workloads with several templates by their components. Default false, as upstream's feature gate. */
  componentScheduling?: boolean
  /** Default 16. */
  concurrency?: number
}

export function detectorController(context: InterpreterContext, options: DetectorOptions = {}): Controller {
  const { skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES, concurrency = 16 } = options
  const { preemption = false, workloadAffinity = false, componentScheduling = false } = options
  const { recreateBindings } = { ...evenkeelProfile.detector, ...options }
  let memory: DetectorMemory | undefined
  return {
    name: 'detector',
    concurrency,
    watches: [
      ...policyKinds.map((kind) =>
        watch({
          kind,
          relevant: isPolicyChange,
          keys: (change) => concernedPolicies(context, { kind, change, preemption }),
        }),
      ),
      ...bindingKinds.map((kind) =>
        watch({
          kind,
          relevant: (change) => recreateBindings && (change.type === 'deleted' || isResumedPastPolicy(change)),
          keys: (change) => templateOfBinding(context, memory, change),
        }),
      ),
    ],
    reads: interpreterKinds,
    whenReady: async () => memory?.kinds.whenReady(),
    async reconcile(key) {
      if (memory) await reconcileKey(context, memory, key)
    },
    priority: (key) => (key.startsWith('policy:') ? 1 : 0),
    start(queue) {
      const { kinds, release } = acquireTemplateKinds(context)
      const own = memoryOf({ queue, kinds, preemption, workloadAffinity, componentScheduling })
      memory = own
      for (const kind of bindingKinds) indexByClaim(context.informers, kind as Kind)
      const stop = kinds.each((kind) => followTemplates(context, own, { kind, skippedNamespaces }))
      const stopFollowing = onInterpreterChange(context.informers, (concerns) => {
        const concerned = kinds.list().filter((kind) => concerns({ apiVersion: apiVersionOf(kind), kind: kind.kind }))
        for (const key of templatesOf(context, concerned)) queue.add(key)
      })
      return async () => {
        stopFollowing()
        stop()
        release()
      }
    },
  }
}

/** Returns the keys of all templates of kinds whose interpreter changed. */
function templatesOf({ informers }: InterpreterContext, kinds: readonly Kind<UnknownObject>[]): ObjectKey[] {
  return kinds.flatMap((kind) =>
    informers
      .of(kind)
      .list()
      .map((template) => templateKeyOf(kind, template)),
  )
}

function memoryOf(parts: Omit<DetectorMemory, 'waiting' | 'changedByUser' | 'applied' | 'lost'>): DetectorMemory {
  return { ...parts, waiting: new Map(), changedByUser: new Set(), applied: new Map(), lost: new Map() }
}

/** Enqueues the key of every changed object of a kind. */
function followTemplates(
  { informers }: InterpreterContext,
  memory: DetectorMemory,
  { kind, skippedNamespaces }: { kind: Kind<UnknownObject>; skippedNamespaces: readonly RegExp[] },
): Stop {
  indexByClaim(informers, kind as Kind)
  return informers.of(kind).onChange((change) => {
    if (isRelevant(change, skippedNamespaces)) memory.queue.add(noteTemplate(memory, kind, change))
  })
}

async function reconcileKey(context: InterpreterContext, memory: DetectorMemory, text: ObjectKey): Promise<void> {
  const parsed = parseDetectorKey(text)
  if (parsed.type === 'policy') {
    const policy = context.informers.of(parsed.kind).get(parsed.key)
    if (policy?.metadata.deletionTimestamp) await finalizePolicy(context, memory, { kind: parsed.kind, policy })
    else if (policy) await reconcilePolicy(context, memory, policy)
    return
  }
  const kind = memory.kinds.find(parsed.apiVersion, parsed.kind)
  const template = kind && context.informers.of(kind).get(parsed.key)
  if (template) return reconcileTemplate(context, memory, { kind, template })
  memory.waiting.delete(text)
  memory.changedByUser.delete(text)
  memory.applied.delete(text)
  memory.lost.delete(text)
}

function isRelevant(change: Change<UnknownObject>, skippedNamespaces: readonly RegExp[]): boolean {
  const object = change.type === 'deleted' ? change.old : change.object
  if (!isPropagatable(object, skippedNamespaces)) return false
  return change.type !== 'updated' || isTemplateChange(change.old, change.object)
}

function noteTemplate(memory: DetectorMemory, kind: Kind<UnknownObject>, change: Change<UnknownObject>): ObjectKey {
  const key = templateKeyOf(kind, change.type === 'deleted' ? change.old : change.object)
  if (change.type === 'added' || (change.type === 'updated' && isUserChange(change.old, change.object))) {
    memory.changedByUser.add(key)
  }
  return key
}

/**
 * Reports whether a binding that its policy suspends was resumed by another client. This is possible only without
 * admission.
 */
function isResumedPastPolicy(change: Change<Binding>): boolean {
  return (
    change.type === 'updated'
    && suspendingPolicyOf(change.object) !== undefined
    && change.object.spec.suspension?.scheduling !== true
  )
}

/** Returns the template of a binding. If the binding was deleted, it is created again, suspended if it was. */
function templateOfBinding(
  context: InterpreterContext,
  memory: DetectorMemory | undefined,
  change: Change<Binding>,
): ObjectKey[] {
  const binding = change.type === 'deleted' ? change.old : change.object
  const { apiVersion, kind: name, namespace, name: template } = binding.spec.resource
  const kind = findTemplateKind(context, apiVersion, name)
  if (!kind) return []
  const key = templateKeyOf(kind, { metadata: { name: template, ...(namespace && { namespace }) } })
  if (change.type === 'deleted' && binding.spec.suspension?.scheduling) memory?.lost.set(key, binding)
  return [key]
}

function isPolicyChange(change: Change<Policy>): boolean {
  if (change.type !== 'updated') return true
  const { generation, deletionTimestamp } = change.object.metadata
  const old = change.old.metadata
  return generation !== old.generation || deletionTimestamp !== old.deletionTimestamp
}

interface PolicyEvent {
  kind: Kind<Policy>
  change: Change<Policy>
  preemption: boolean
}

/** Returns the policy and, with preemption, those that now have a higher precedence. */
function concernedPolicies({ informers }: InterpreterContext, { kind, change, preemption }: PolicyEvent): ObjectKey[] {
  if (change.type === 'deleted') return []
  const others =
    preemption && change.type === 'updated'
      ? policiesToPreempt(change.old, change.object, informers.of(kind).list())
      : []
  return [change.object, ...others].map((policy) => policyKeyOf(kind, policy))
}
