/** Reads the replicas of a template and their requirements, and revises the replicas of a member's object. */
import type { UnknownObject } from '../../kube/object'
import { InterpretError } from './interpret-error'
import { fieldsIn } from './json-fields'
import { ruleFor, type RulesByKind } from './kind-key'
import type { InterpreterOptions } from './options'
import { podRequirements, type Replicas } from './pod-requirements'
import type { Manifest } from '../../kube/manifest'
import { conform, type Fields, shapes } from './shape'
import { askThirdParty, thirdPartyRule } from './third-party'
import { withoutNulls } from './third-party/without-nulls'

interface ReplicaRule {
  read: (object: UnknownObject) => { replicas: number; podSpec: Fields }
  /** The field of `spec` with the number; absent if it cannot be revised. */
  field?: 'replicas' | 'parallelism'
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
}

/**
 * Returns replicas and requirements of a template; undefined for kinds that are not workloads. Throws an InterpretError
 * if a number has a wrong type or is too large.
 */
export function interpretReplicas(
  object: UnknownObject,
  { likeUpstream = false, quotaEstimate = false }: InterpreterOptions = {},
): Replicas | undefined {
  const rule = ruleFor(RULES, object)
  if (!rule) return within32Bits(askThirdParty(object, 'replicas'), likeUpstream)
  const { replicas, podSpec } = rule.read(object)
  const requirements = podRequirements(podSpec, quotaEstimate)
  return within32Bits({ replicas, ...(requirements && { requirements }) }, likeUpstream)
}

function within32Bits(answer: Replicas | undefined, likeUpstream: boolean): Replicas | undefined {
  if (!answer) return undefined
  const { replicas: asked } = answer
  const replicas = asked | 0
  if (replicas !== asked && !likeUpstream) throw new InterpretError(`${asked} replicas do not fit into 32 bits`)
  return { ...answer, replicas }
}

/** Reports whether the number of replicas of the kind can be revised. */
export function hasReviseRule(object: Pick<UnknownObject, 'apiVersion' | 'kind'>): boolean {
  return (ruleFor(RULES, object)?.field ?? thirdPartyRule(object, 'revise')) !== undefined
}

/**
 * Returns the manifest with the number of replicas replaced, if it had one; other manifests unchanged. Throws an
 * InterpretError if the current value is not a whole number.
 */
export function reviseReplicas(manifest: Manifest, replicas: number): Manifest {
  const revise = thirdPartyRule(manifest, 'revise')
  if (revise) return revise(withoutNulls(manifest), replicas)
  const field = ruleFor(RULES, manifest)?.field
  const spec = fieldsIn(manifest.spec)
  if (!field || spec[field] === undefined) return manifest
  if (!Number.isInteger(spec[field])) {
    throw new InterpretError(`spec.${field}: expected integer, found ${String(spec[field])}`)
  }
  return { ...manifest, spec: { ...spec, [field]: replicas } }
}

/** Pods that run at the same time, limited by the completions. */
function readJob(object: UnknownObject): { replicas: number; podSpec: Fields } {
  const parallelism = numberIn(object, 'parallelism') ?? 0
  const completions = numberIn(object, 'completions')
  const replicas = completions === undefined ? parallelism : Math.min(parallelism, completions)
  return { replicas, podSpec: podTemplate(object) }
}

/** Returns a number of `spec`; undefined when absent. */
function numberIn(object: UnknownObject, field: string): number | undefined {
  const value = fieldsIn(object.spec)[field]
  if (value === undefined || value === null) return undefined
  return conform(shapes.integer, value, `spec.${field}`) as number
}
