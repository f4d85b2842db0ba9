/** Reconciles one binding whose template may have dependencies. */
import { mergeReferrers, unneededBindings } from '@/lib/domain/dependencies'
import type { DependencyReference } from '@/lib/domain/interpreter'
import { isConflict } from '@/lib/kube/errors'
import { resourceBinding } from '@/lib/kube/kinds'
import { objectKey, type ObjectKey } from '@/lib/kube/object'
import type { Binding } from '../shared/binding-kinds'
import { messagesOf } from '../shared/failures'
import type { InterpreterContext } from '../shared/interpreter'
import { readTemplate } from '../shared/template-kinds'
import { attach, detach, record, release } from './act'
import { attachedTo, existingDependencies, isHeld, othersThatNeed, wantsDependencies } from './observe'
import { emitConflict, emitDependencies, emitDistributed, emitDistributeFailed } from './reasons'

/** State between reconciles. */
export interface DistributorMemory {
  /** The last reported conflict between the policies of an object's referrers, by its binding. */
  conflicts: Map<ObjectKey, string>
}

/**
 * 1. Detach bindings that are no longer needed. 2. Read the template's dependencies. 3. Record them. 4. Detach and
 * attach. 5. Record events.
 */
export async function reconcileDependencies(
  context: InterpreterContext,
  memory: DistributorMemory,
  key: ObjectKey,
): Promise<void> {
  const binding = context.informers.of(resourceBinding).get(key)
  if (!binding || !wantsDependencies(context, binding)) return releaseDependencies(context, memory, key)
  if (!binding.spec.clusters?.length && !isHeld(binding)) return
  const template = await readTemplate(context, binding)
  if (!template) return
  try {
    const dependencies = (await context.interpreter.dependencies(template)) ?? []
    const recorded = await record(context, binding, dependencies)
    if (recorded) emitDependencies(context.events, binding, dependencies)
    const distributed = await distribute(context, memory, { binding, dependencies })
    if (recorded || distributed) emitDistributed(context.events, binding)
  } catch (error) {
    if (!isConflict(error)) emitDistributeFailed(context.events, binding, error)
    throw error
  }
}

/** Detaches the attached bindings before the finalizer is removed, so that none is left behind. */
async function releaseDependencies(
  context: InterpreterContext,
  memory: DistributorMemory,
  key: ObjectKey,
): Promise<void> {
  await drop(context, memory, { key, bindings: attachedTo(context.informers, key) })
  const binding = context.informers.of(resourceBinding).get(key)
  if (binding && isHeld(binding)) await release(context, binding)
}

/** Reported conflicts of these bindings may be resolved. */
async function drop(
  context: InterpreterContext,
  memory: DistributorMemory,
  { key, bindings }: { key: ObjectKey; bindings: readonly Binding[] },
): Promise<boolean> {
  for (const binding of bindings) memory.conflicts.delete(objectKey(binding))
  return detach(context, key, bindings)
}

interface Distribution {
  binding: Binding
  dependencies: readonly DependencyReference[]
}

/** A failing dependency does not delay the others. Returns whether anything was written. */
async function distribute(
  context: InterpreterContext,
  memory: DistributorMemory,
  { binding, dependencies }: Distribution,
): Promise<boolean> {
  const { informers } = context
  const key = objectKey(binding)
  const existing = existingDependencies(informers, dependencies)
  const unneeded = unneededBindings(attachedTo(informers, key), dependencies, existing)
  const dropped = await drop(context, memory, { key, bindings: unneeded })
  const results = await Promise.allSettled(
    existing.map(async (dependency) => {
      const attached = await attach(context, binding, dependency)
      if (attached) warnOfConflict(context, memory, { attached: attached.binding, binding })
      return attached?.written ?? false
    }),
  )
  throwFailures(results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])))
  return dropped || results.some((result) => result.status === 'fulfilled' && result.value)
}

/** Reports a conflict once, until it changes or is resolved. A binding with its own policy cannot have a conflict. */
function warnOfConflict(
  { informers, events }: InterpreterContext,
  { conflicts: told }: DistributorMemory,
  { attached, binding }: { attached: Binding; binding: Binding },
): void {
  const key = objectKey(attached)
  const referrers = attached.spec.placement ? [] : [binding, ...othersThatNeed(informers, attached, objectKey(binding))]
  const text = mergeReferrers(referrers).conflicts.join('; ')
  if (text === '') return void told.delete(key)
  if (told.get(key) !== text) emitConflict(events, attached, text)
  told.set(key, text)
}

/** A conflict only means that the cache was outdated, so it is thrown only if there is no other error. */
function throwFailures(errors: readonly unknown[]): void {
  const [first, ...more] = errors.every(isConflict) ? errors.slice(0, 1) : errors.filter((error) => !isConflict(error))
  if (more.length > 0) throw new AggregateError([first, ...more], messagesOf([first, ...more]))
  if (first !== undefined) throw first
}
