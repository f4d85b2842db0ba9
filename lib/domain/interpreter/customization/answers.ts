/**
 * Validates the results of scripts before controllers use them. Throws an InterpretError for a value of another form.
 */
import type { BindingComponent, ReplicaRequirements } from '../../../kube/kinds/binding'
import type { Manifest } from '../../../kube/manifest'
import { formatQuantity, tryParseQuantity } from '../../../kube/quantity'
import type { DependencyReference } from '../dependencies'
import { likeSource } from '../empty-tables'
import { InterpretError } from '../interpret-error'
import type { Replicas } from '../pod-requirements'

type Fields = Record<string, unknown>

/** Validates the result of `InterpretHealth`: a boolean. */
export function healthIn([answer]: readonly unknown[]): boolean {
  if (typeof answer !== 'boolean')
    throw new InterpretError(`InterpretHealth answered ${typeName(answer)} instead of a boolean`)
  return answer
}

/** Validates the result of `GetReplicas`: a whole number and optional requirements of a replica. */
export function replicasIn([replicas, requirements]: readonly unknown[]): Replicas {
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw new InterpretError(`GetReplicas answered ${typeName(replicas)} instead of a whole number`)
  }
  if ((replicas | 0) !== replicas) throw new InterpretError(`${replicas} replicas do not fit into 32 bits`)
  if (requirements === undefined || requirements === null) return { replicas }
  return { replicas, requirements: requirementsIn('GetReplicas', requirements) }
}

/** Validates the result of `GetComponents`: a list of names with replicas and optional requirements. */
export function componentsIn([answer]: readonly unknown[]): BindingComponent[] {
  return listIn('GetComponents', answer).map((value) => {
    const { name, replicas, replicaRequirements } = objectIn('GetComponents', value)
    if (typeof name !== 'string' || typeof replicas !== 'number' || (replicas | 0) !== replicas) {
      throw new InterpretError('GetComponents: every component needs a name and a whole number of replicas')
    }
    if (replicaRequirements === undefined || replicaRequirements === null) return { name, replicas }
    const requirements = requirementsIn('GetComponents', replicaRequirements)
    return { name, replicas, ...(Object.keys(requirements).length > 0 && { replicaRequirements: requirements }) }
  })
}

/** Validates the result of `ReviseReplica` and `Retain`: the object. */
export function manifestIn(entry: string, [answer]: readonly unknown[], sources: readonly unknown[]): Manifest {
  return manifestOf(entry, likeSource(objectIn(entry, answer), sources))
}

/** Validates an API object. */
export function manifestOf(entry: string, answer: unknown): Manifest {
  const manifest = objectIn(entry, answer) as unknown as Manifest
  if (
    typeof manifest.apiVersion !== 'string'
    || typeof manifest.kind !== 'string'
    || typeof manifest.metadata !== 'object'
  ) {
    throw new InterpretError(`${entry} answered something that is no object of the API`)
  }
  return manifest
}

/** Validates the result of `ReflectStatus`: the status to collect; nil collects nothing. */
export function statusIn([answer]: readonly unknown[]): Fields | undefined {
  if (answer === undefined || answer === null) return undefined
  return likeSource(objectIn('ReflectStatus', answer), [])
}

/** Validates the result of `AggregateStatus`: the template with its new status. */
export function aggregateIn([answer]: readonly unknown[]): unknown {
  return likeSource(objectIn('AggregateStatus', answer), []).status
}

/** Validates the result of `GetDependencies`: a list of references. */
export function dependenciesIn([answer]: readonly unknown[]): DependencyReference[] {
  return listIn('GetDependencies', answer).map(referenceIn)
}

/** Merges the references of several results without duplicates, in upstream's order. */
export function mergedDependencies(answers: readonly DependencyReference[][]): DependencyReference[] {
  const sortKey = ({ apiVersion, kind, namespace = '', name = '' }: DependencyReference): string[] => [
    apiVersion,
    kind,
    namespace,
    name,
  ]
  const distinct = new Map(answers.flat().map((each) => [JSON.stringify([sortKey(each), each.labelSelector]), each]))
  return [...distinct.values()].toSorted((a, b) => compareTexts(sortKey(a), sortKey(b)))
}

function compareTexts(left: readonly string[], right: readonly string[]): number {
  const differing = left.findIndex((text, index) => text !== right[index])
  if (differing < 0) return 0
  return (left[differing] ?? '') < (right[differing] ?? '') ? -1 : 1
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

/** Normalizes requirements: scripts may write amounts as numbers, and empty tables. */
function requirementsIn(entry: string, value: unknown): ReplicaRequirements {
  const { resourceRequest, ...rest } = likeSource(objectIn(entry, value), [])
  if (resourceRequest === undefined || resourceRequest === null) return rest as ReplicaRequirements
  const amounts = Object.entries(objectIn(entry, resourceRequest)).map(([name, amount]) => [
    name,
    amountIn(entry, amount),
  ])
  return { ...rest, resourceRequest: Object.fromEntries(amounts) as Record<string, string> } as ReplicaRequirements
}

function amountIn(entry: string, amount: unknown): string {
  const quantity = typeof amount === 'string' || typeof amount === 'number' ? tryParseQuantity(amount) : undefined
  if (!quantity) throw new InterpretError(`${entry} answered ${JSON.stringify(amount)} as an amount`)
  return formatQuantity(quantity)
}

/** Returns a list; an empty Lua table counts as an empty list. */
function listIn(entry: string, value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  if (Object.keys(objectIn(entry, value)).length === 0) return []
  throw new InterpretError(`${entry} answered something that is no list`)
}

function objectIn(entry: string, value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new InterpretError(`${entry} answered ${typeName(value)} instead of a table`)
}

function typeName(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
