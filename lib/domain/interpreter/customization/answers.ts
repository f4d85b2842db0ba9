/** Checks what a script returns before controllers use it. Throws an InterpretError for a value of another form. */
import type { ReplicaRequirements } from '../../../kube/kinds/binding'
import type { Manifest } from '../../../kube/manifest'
import type { UnknownObject } from '../../../kube/object'
import type { DependencyReference } from '../dependencies'
import { InterpretError } from '../interpret-error'
import type { Replicas } from '../replicas'
import { likeSource } from './empty-tables'

type Fields = Record<string, unknown>

/** `InterpretHealth` answers true or false. */
export function healthIn([answer]: readonly unknown[]): boolean {
  if (typeof answer !== 'boolean')
    throw new InterpretError(`InterpretHealth answered ${typeName(answer)} instead of a boolean`)
  return answer
}

/** `GetReplicas` answers a whole number and, perhaps, what each replica needs. */
export function replicasIn([replicas, requirements]: readonly unknown[]): Replicas {
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw new InterpretError(`GetReplicas answered ${typeName(replicas)} instead of a whole number`)
  }
  if ((replicas | 0) !== replicas) throw new InterpretError(`${replicas} replicas do not fit into 32 bits`)
  if (requirements === undefined || requirements === null) return { replicas }
  return { replicas, requirements: withTextAmounts(objectIn('GetReplicas', requirements)) }
}

/** `ReviseReplica` and `Retain` answer the object. */
export function manifestIn(entry: string, [answer]: readonly unknown[], sources: readonly unknown[]): Manifest {
  const manifest = likeSource(objectIn(entry, answer), sources) as Manifest
  if (
    typeof manifest.apiVersion !== 'string'
    || typeof manifest.kind !== 'string'
    || typeof manifest.metadata !== 'object'
  ) {
    throw new InterpretError(`${entry} answered something that is no object of the API`)
  }
  return manifest
}

/** `ReflectStatus` answers what is to be collected; nothing collects nothing. */
export function statusIn([answer]: readonly unknown[], object: UnknownObject): Fields | undefined {
  if (answer === undefined || answer === null) return undefined
  return likeSource(objectIn('ReflectStatus', answer), [object.status]) as Fields
}

/** `AggregateStatus` answers the template with its new status. */
export function aggregateIn([answer]: readonly unknown[], template: UnknownObject): unknown {
  return likeSource(objectIn('AggregateStatus', answer).status, [template.status])
}

/** `GetDependencies` answers a list of references. */
export function dependenciesIn([answer]: readonly unknown[]): DependencyReference[] {
  if (answer === undefined || answer === null) return []
  const list = Array.isArray(answer)
    ? answer
    : Object.keys(objectIn('GetDependencies', answer)).length === 0
      ? []
      : undefined
  if (!list) throw new InterpretError('GetDependencies answered something that is no list')
  return list.map(referenceIn)
}

function referenceIn(value: unknown): DependencyReference {
  const { apiVersion, kind, namespace, name, labelSelector } = objectIn('GetDependencies', value)
  const isNamed = typeof name === 'string' && name !== ''
  const isSelected = typeof labelSelector === 'object' && labelSelector !== null
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !(isNamed || isSelected)) {
    throw new InterpretError('GetDependencies: every reference needs apiVersion, kind and a name or labelSelector')
  }
  const place = { apiVersion, kind, ...(typeof namespace === 'string' && namespace !== '' && { namespace }) }
  return isNamed
    ? { ...place, name }
    : { ...place, labelSelector: labelSelector as NonNullable<DependencyReference['labelSelector']> }
}

/** Scripts may write amounts as numbers. */
function withTextAmounts({ resourceRequest, ...rest }: Fields): ReplicaRequirements {
  if (resourceRequest === undefined || resourceRequest === null) return rest as ReplicaRequirements
  const amounts = Object.entries(resourceRequest as Fields).map(([name, amount]) => [name, String(amount)])
  return {
    ...rest,
    ...(amounts.length > 0 && { resourceRequest: Object.fromEntries(amounts) as Record<string, string> }),
  } as ReplicaRequirements
}

function objectIn(entry: string, value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new InterpretError(`${entry} answered ${typeName(value)} instead of a table`)
}

function typeName(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
