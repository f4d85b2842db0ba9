/** OpenKruise CloneSet and Advanced StatefulSet, whose rules come with the control plane as scripts. */
import { TEMPLATE_GENERATION_ANNOTATION } from '../../kube/names'
import type { UnknownObject } from '../../kube/object'
import { InterpretError } from './interpret-error'
import type { Fields } from './shape'

const CLONE_SET_NUMBERS = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'updatedReplicas',
  'updatedReadyReplicas',
  'expectedUpdatedReplicas',
]
const ADVANCED_STATEFUL_SET_NUMBERS = [
  'replicas',
  'readyReplicas',
  'availableReplicas',
  'updatedReplicas',
  'updatedReadyReplicas',
  'currentReplicas',
]
const REVISIONS = ['updateRevision', 'currentRevision', 'labelSelector']

const numbersOf = (object: UnknownObject): readonly string[] =>
  object.kind === 'CloneSet' ? CLONE_SET_NUMBERS : ADVANCED_STATEFUL_SET_NUMBERS

/** Healthy when every replica is updated and available; an absent number is an error, as in the scripts. */
export function isKruiseWorkloadHealthy(object: UnknownObject): boolean {
  const status = (object.status ?? {}) as Fields
  const spec = (object.spec ?? {}) as Fields
  if (status.observedGeneration !== object.metadata.generation) return false
  const wanted = spec.replicas
  if (wanted !== undefined && wanted !== null && isLess(status.updatedReplicas, wanted)) return false
  return !isLess(status.availableReplicas, status.updatedReplicas)
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') {
    throw new InterpretError(`status: cannot compare ${String(left)} with ${String(right)}`)
  }
  return left < right
}

/** The known fields that are present, with both generations where they are known. */
export function reflectKruiseStatus(object: UnknownObject): Fields {
  if (object.status === undefined || object.status === null) return {}
  const status: Fields = typeof object.status === 'object' ? { ...object.status } : {}
  const wanted = [...numbersOf(object), ...REVISIONS, 'observedGeneration']
  const reflected = Object.fromEntries(
    wanted.filter((name) => Object.hasOwn(status, name)).map((name) => [name, status[name]]),
  )
  const templateGeneration = Number.parseInt(object.metadata.annotations?.[TEMPLATE_GENERATION_ANNOTATION] ?? '', 10)
  return {
    ...reflected,
    ...(object.metadata.generation !== undefined && { generation: object.metadata.generation }),
    ...(!Number.isNaN(templateGeneration) && { resourceTemplateGeneration: templateGeneration }),
  }
}

/** One member's contribution. */
interface Item {
  status?: Fields
}

/** Sums of the numbers, the newest revisions, and the generation once every member has observed it. */
export function aggregateKruiseStatus(template: UnknownObject, items: readonly Item[]): Fields {
  const old = (template.status ?? {}) as Fields
  const statuses = items.map((item) => item.status).filter((status) => status !== undefined)
  const sums = Object.fromEntries(numbersOf(template).map((name) => [name, sum(statuses, name)]))
  const revisions = Object.fromEntries(
    revisionsOf(template).map((name) => [name, latest(statuses, name) ?? old[name] ?? '']),
  )
  const observed = statuses.filter((status) => hasObserved(template, status)).length === items.length
  const observedGeneration = observed ? template.metadata.generation : (old.observedGeneration ?? 0)
  return { ...old, ...revisions, ...sums, observedGeneration }
}

/** A CloneSet always gets its label selector, the Advanced StatefulSet only keeps one. */
function revisionsOf(template: UnknownObject): readonly string[] {
  return template.kind === 'CloneSet' ? REVISIONS : REVISIONS.filter((name) => name !== 'labelSelector')
}

function hasObserved(template: UnknownObject, status: Fields): boolean {
  return (
    (status.generation ?? 0) === (status.observedGeneration ?? 0)
    && status.resourceTemplateGeneration === template.metadata.generation
  )
}

function sum(statuses: readonly Fields[], name: string): number {
  return statuses.reduce((total, status) => total + Number(status[name] ?? 0), 0)
}

function latest(statuses: readonly Fields[], name: string): unknown {
  return statuses.map((status) => status[name]).findLast((value) => value !== undefined && value !== '')
}
