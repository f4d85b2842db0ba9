/** One pass over one binding whose template may need other objects. */
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
import { tellConflict, tellDependencies, tellDistributed, tellNotDistributed } from './reasons'

/** What the distributor remembers between passes. */
export interface DistributorMemory {
  /** What the policies of those that need an object were last said not to agree about, by its binding. */
  conflicts: Map<ObjectKey, string>
}

/** 1. Let go of what is not wanted. 2. Read what the template needs. 3. Record it. 4. Detach and attach. 5. Tell. */
export async function reconcileDependencies(
  context: InterpreterContext,
  memory: DistributorMemory,
  key: ObjectKey,
): Promise<void> {
  const binding = context.informers.of(resourceBinding).get(key)
  if (!binding || !wantsDependencies(context, binding)) return letGo(context, memory, key)
  if (!binding.spec.clusters?.length && !isHeld(binding)) return
  const template = await readTemplate(context, binding)
  if (!template) return
  try {
    const dependencies = (await context.interpreter.dependencies(template)) ?? []
    const recorded = await record(context, binding, dependencies)
    if (recorded) tellDependencies(context.events, binding, dependencies)
    const distributed = await distribute(context, memory, { binding, dependencies })
    if (recorded || distributed) tellDistributed(context.events, binding)
  } catch (error) {
    if (!isConflict(error)) tellNotDistributed(context.events, binding, error)
    throw error
  }
}

/** The attached bindings first, so that none is left behind when the binding goes. */
async function letGo(context: InterpreterContext, memory: DistributorMemory, key: ObjectKey): Promise<void> {
  await drop(context, memory, { key, bindings: attachedTo(context.informers, key) })
  const binding = context.informers.of(resourceBinding).get(key)
  if (binding && isHeld(binding)) await release(context, binding)
}

/** What was said about the others may not hold any more. */
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

/** A dependency that fails does not hold up the others. True when something was written. */
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

/** Said once, until they agree or differ in something else. A binding with a policy of its own needs no agreement. */
function warnOfConflict(
  { informers, events }: InterpreterContext,
  { conflicts: told }: DistributorMemory,
  { attached, binding }: { attached: Binding; binding: Binding },
): void {
  const key = objectKey(attached)
  const referrers = attached.spec.placement ? [] : [binding, ...othersThatNeed(informers, attached, objectKey(binding))]
  const text = mergeReferrers(referrers).conflicts.join('; ')
  if (text === '') return void told.delete(key)
  if (told.get(key) !== text) tellConflict(events, attached, text)
  told.set(key, text)
}

/** A conflict only means that the cache was behind: it counts when nothing worse happened. */
function throwFailures(errors: readonly unknown[]): void {
  const [first, ...more] = errors.every(isConflict) ? errors.slice(0, 1) : errors.filter((error) => !isConflict(error))
  if (more.length > 0) throw new AggregateError([first, ...more], messagesOf([first, ...more]))
  if (first !== undefined) throw first
}
