/** Selects the status fields of a member object that are collected into its Work. */
import type { UnknownObject } from '../../kube/object'
import { ruleFor, type RulesByKind } from './kind-key'
import type { InterpreterOptions } from './options'
import { asObject, conform, type Fields, type Shape } from './shape'
import {
  DAEMON_SET_NUMBERS,
  daemonSetReflection,
  deploymentReflection,
  horizontalPodAutoscalerStatus,
  jobStatus,
  podDisruptionBudgetStatus,
  replicaSetReflection,
  serviceStatus,
  statefulSetReflection,
} from './shapes'
import { templateGenerationOf } from './template-generation'
import { reflectThirdParty, thirdPartyRule } from './third-party'

type Reflect = (object: UnknownObject) => Fields | undefined

/**
 * Returns the status to store for a member's object; undefined when there is none. Kinds without a rule keep their
 * whole `status`. Throws an InterpretError if the status has a wrong type, or if a workload lacks the annotation with
 * the template's generation.
 */
export function reflectStatus(
  object: UnknownObject,
  { likeUpstream = false }: InterpreterOptions = {},
): Fields | undefined {
  if (likeUpstream && object.status === null && !thirdPartyRule(object, 'reflect')) asObject(object.status, 'status')
  const rule = (likeUpstream ? ruleFor(UPSTREAM_RULES, object) : undefined) ?? ruleFor(RULES, object)
  return rule ? rule(object) : (reflectThirdParty(object, { likeUpstream }) ?? wholeStatus(object))
}

const STATEFUL_SET_NUMBERS = ['availableReplicas', 'currentReplicas', 'readyReplicas', 'replicas', 'updatedReplicas']

const RULES: RulesByKind<Reflect> = {
  'apps/v1/Deployment': (object) =>
    unlessUntouched(
      reflectWithGenerations(object, {
        shape: deploymentReflection,
        fields: [
          'observedGeneration',
          'replicas',
          'updatedReplicas',
          'readyReplicas',
          'availableReplicas',
          'unavailableReplicas',
        ],
      }),
    ),
  'apps/v1/ReplicaSet': (object) =>
    unlessUntouched(
      reflectWithGenerations(object, {
        shape: replicaSetReflection,
        fields: ['observedGeneration', 'replicas', 'readyReplicas', 'availableReplicas'],
      }),
    ),
  'apps/v1/StatefulSet': (object) =>
    reflectWithGenerations(object, {
      shape: statefulSetReflection,
      fields: [...STATEFUL_SET_NUMBERS, 'observedGeneration'],
    }),
  'apps/v1/DaemonSet': (object) =>
    reflectWithGenerations(object, {
      shape: daemonSetReflection,
      fields: ['observedGeneration', ...DAEMON_SET_NUMBERS],
    }),
  'batch/v1/Job': (object) =>
    reflectFields(object, {
      shape: jobStatus,
      fields: ['active', 'succeeded', 'failed', 'conditions', 'startTime', 'completionTime'],
    }),
  'v1/Service': reflectService,
  'policy/v1/PodDisruptionBudget': (object) =>
    reflectFields(object, {
      shape: podDisruptionBudgetStatus,
      fields: ['disruptionsAllowed', 'expectedPods', 'desiredHealthy', 'currentHealthy', 'disruptedPods'],
    }),
  'autoscaling/v2/HorizontalPodAutoscaler': (object) =>
    reflectFields(object, { shape: horizontalPodAutoscalerStatus, fields: ['currentReplicas', 'desiredReplicas'] }),
}

const UPSTREAM_RULES: RulesByKind<Reflect> = {
  'apps/v1/StatefulSet': (object) =>
    reflectWithGenerations(object, { shape: statefulSetReflection, fields: STATEFUL_SET_NUMBERS }),
}

/** Fields of a status to collect, and their shape. */
interface Selection {
  shape: Shape
  fields: readonly string[]
}

function wholeStatus(object: UnknownObject): Fields | undefined {
  if (object.status === undefined || object.status === null) return undefined
  return asObject(object.status, 'status')
}

function reflectFields(object: UnknownObject, selection: Selection): Fields | undefined {
  const status = wholeStatus(object)
  if (!status) return undefined
  return conform(selection.shape, picked(status, selection), 'status') as Fields
}

function reflectWithGenerations(object: UnknownObject, selection: Selection): Fields | undefined {
  const status = wholeStatus(object)
  if (!status) return undefined
  const generations = {
    generation: object.metadata.generation ?? 0,
    resourceTemplateGeneration: templateGenerationOf(object),
  }
  return conform(selection.shape, { ...picked(status, selection), ...generations }, 'status') as Fields
}

/** A block without fields means that nothing was reported yet. */
function unlessUntouched(reflected: Fields | undefined): Fields | undefined {
  return reflected && Object.keys(reflected).length > 0 ? reflected : undefined
}

function reflectService(object: UnknownObject): Fields | undefined {
  const spec = (object.spec ?? {}) as Fields
  if (spec.type !== 'LoadBalancer') return undefined
  return reflectFields(object, { shape: serviceStatus, fields: ['loadBalancer'] })
}

/** The fields that are taken. The whole status has to be of its form, also what is not taken. */
function picked(status: Fields, { shape, fields }: Selection): Fields {
  const source = conform(shape, status, 'status') as Fields
  return Object.fromEntries(fields.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]))
}
