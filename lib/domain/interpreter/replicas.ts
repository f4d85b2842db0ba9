/** How many replicas a template asks for, what each needs, and how a member's copy gets its share. */
import type { ReplicaRequirements } from '../../kube/kinds/binding'
import type { UnknownObject } from '../../kube/object'
import { formatQuantity, parseQuantity } from '../../kube/quantity'
import { InterpretError } from './interpret-error'
import { fieldsIn } from './json-fields'
import { ruleFor, type RulesByKind } from './kind-key'
import type { InterpreterOptions } from './options'
import { podRequirements } from './pod-requirements'
import type { Manifest } from '../../kube/manifest'
import { conform, type Fields, shapes } from './shape'

export interface Replicas {
  replicas: number
  /** Absent when a replica asks for nothing. */
  requirements?: ReplicaRequirements
}

interface ReplicaRule {
  read: (object: UnknownObject) => { replicas: number; podSpec: Fields }
  /** The field of `spec` that carries the number; absent when there is nothing to revise. */
  field?: 'replicas' | 'parallelism'
  /** Scripts set the number whatever was there before; the native rules change only a number. */
  scripted?: boolean
}

const podTemplate = (object: UnknownObject): Fields => fieldsIn(fieldsIn(fieldsIn(object.spec).template).spec)

const replicated: ReplicaRule = {
  read: (object) => ({ replicas: numberIn(object, 'replicas') ?? 0, podSpec: podTemplate(object) }),
  field: 'replicas',
}

const RULES: RulesByKind<ReplicaRule> = {
  'apps/v1/Deployment': replicated,
  'apps/v1/ReplicaSet': replicated,
  'apps/v1/StatefulSet': replicated,
  'batch/v1/Job': { read: readJob, field: 'parallelism' },
  'v1/Pod': { read: (object) => ({ replicas: 1, podSpec: fieldsIn(object.spec) }) },
  'apps.kruise.io/v1alpha1/CloneSet': { ...replicated, scripted: true },
  'apps.kruise.io/v1beta1/StatefulSet': { ...replicated, scripted: true },
}

/**
 * Replicas and requirements of a template; undefined for kinds that are no workload.
 * Throws an InterpretError when a number has a wrong type or is too large.
 */
export function interpretReplicas(
  object: UnknownObject,
  { likeUpstream = false }: InterpreterOptions = {},
): Replicas | undefined {
  const rule = ruleFor(RULES, object)
  if (!rule) return undefined
  const { replicas: asked, podSpec } = rule.read(object)
  const replicas = asked | 0
  if (replicas !== asked && !likeUpstream) throw new InterpretError(`${asked} replicas do not fit into 32 bits`)
  const requirements = podRequirements(podSpec)
  if (!requirements) return { replicas }
  return { replicas, requirements: rule.scripted ? reparsed(requirements) : requirements }
}

/** True when the number of replicas of the kind can be revised. */
export function hasReviseRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return ruleFor(RULES, object)?.field !== undefined
}

/**
 * The manifest with `replicas` as its number, where it had one; other manifests come back as they are.
 * Throws an InterpretError when the present value is no whole number.
 */
export function reviseReplicas(manifest: Manifest, replicas: number): Manifest {
  const rule = ruleFor(RULES, manifest)
  const spec = fieldsIn(manifest.spec)
  if (!rule?.field || (!rule.scripted && spec[rule.field] === undefined)) return manifest
  if (!rule.scripted && !Number.isInteger(spec[rule.field])) {
    throw new InterpretError(`spec.${rule.field}: expected integer, found ${String(spec[rule.field])}`)
  }
  return { ...manifest, spec: { ...spec, [rule.field]: replicas } }
}

/** As many as run at the same time, but never more than are wanted in all. */
function readJob(object: UnknownObject): { replicas: number; podSpec: Fields } {
  const parallelism = numberIn(object, 'parallelism') ?? 0
  const completions = numberIn(object, 'completions')
  const replicas = completions === undefined ? parallelism : Math.min(parallelism, completions)
  return { replicas, podSpec: podTemplate(object) }
}

/** A number of `spec`; undefined when absent. */
function numberIn(object: UnknownObject, field: string): number | undefined {
  const value = fieldsIn(object.spec)[field]
  if (value === undefined || value === null) return undefined
  return conform(shapes.integer, value, `spec.${field}`) as number
}

/** Amounts that went through a script come back as text without a unit, and are read as decimal. */
function reparsed({ resourceRequest, ...rest }: ReplicaRequirements): ReplicaRequirements {
  if (!resourceRequest) return rest
  const entries = Object.entries(resourceRequest).map(([name, amount]) => [name, formatQuantity(parseQuantity(amount))])
  return { ...rest, resourceRequest: Object.fromEntries(entries) as Record<string, string> }
}
