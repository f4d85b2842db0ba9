/** OpenKruise: CloneSet, Advanced StatefulSet and DaemonSet, UnitedDeployment, SidecarSet. */
import type { UnknownObject } from '../../../kube/object'
import { fieldsIn, listIn } from '../json-fields'
import { type Needs, podNeeds } from '../needs'
import type { RulesByKind } from '../kind-key'
import type { Fields } from '../shape'
import { DAEMON_SET_NUMBERS } from '../shapes'
import { generationOf, observedGenerationOf, reflectionOf, reflectionWithGenerations } from './generations'
import { replicasOf, requiredPodSpec } from './pod-templates'
import {
  blockIn,
  isLess,
  lastOf,
  lastTextOf,
  revisedSpec,
  reported,
  requiredBlock,
  sums,
  type ThirdPartyRule,
  withSpecField,
} from './rule'

const SETS = ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas'] as const
const CLONE_SET_NUMBERS = [...SETS, 'updatedReadyReplicas', 'expectedUpdatedReplicas']
const STATEFUL_SET_NUMBERS = [...SETS, 'updatedReadyReplicas', 'currentReplicas']
const UNITED_NUMBERS = [...SETS, 'unavailableReplicas']
const REVISIONS = ['updateRevision', 'currentRevision'] as const
const SIDECAR_NUMBERS = ['matchedPods', 'updatedPods', 'readyPods']

/** A workload with `spec.replicas` and a pod template. */
const replicated: ThirdPartyRule = {
  replicas: (object) => replicasOf(requiredBlock(object, 'spec').replicas, requiredPodSpec(object)),
  revise: (manifest, replicas) => revisedSpec(manifest, 'replicas', replicas),
  needs: (object) => podNeeds(requiredPodSpec(object)),
}

/** Sums the numbers, takes the last revisions, and advances the generation once all members have observed it. */
function aggregation(
  numbers: readonly string[],
  texts: readonly string[],
): Required<Pick<ThirdPartyRule, 'aggregate'>> {
  return {
    aggregate: ({ template, old, items }) => {
      const statuses = reported(items)
      return {
        ...old,
        ...sums(statuses, numbers),
        ...Object.fromEntries(texts.map((name) => [name, lastTextOf(statuses, name) ?? ''])),
        observedGeneration: observedGenerationOf(template, old, items),
      }
    },
  }
}

const nothingYet =
  (numbers: readonly string[], others: Fields = {}): Required<ThirdPartyRule>['aggregateNone'] =>
  (template, old) => ({ ...old, ...sums([], numbers), ...others, observedGeneration: generationOf(template) })

const EMPTY_REVISIONS = Object.fromEntries(REVISIONS.map((name) => [name, '']))

const cloneSet: ThirdPartyRule = {
  ...replicated,
  reflect: reflectionWithGenerations([...CLONE_SET_NUMBERS, ...REVISIONS, 'labelSelector', 'observedGeneration']),
  ...aggregation(CLONE_SET_NUMBERS, [...REVISIONS, 'labelSelector']),
  aggregateNone: nothingYet(CLONE_SET_NUMBERS),
  isHealthy: isEveryReplicaUpdated,
}

const statefulSet: ThirdPartyRule = {
  ...replicated,
  reflect: reflectionWithGenerations([...STATEFUL_SET_NUMBERS, ...REVISIONS, 'observedGeneration']),
  ...aggregation(STATEFUL_SET_NUMBERS, REVISIONS),
  aggregateNone: nothingYet(STATEFUL_SET_NUMBERS, EMPTY_REVISIONS),
  isHealthy: isEveryReplicaUpdated,
}

const unitedDeployment: ThirdPartyRule = {
  ...replicated,
  reflect: reflectionWithGenerations([...UNITED_NUMBERS, 'observedGeneration', 'conditions']),
  aggregate: (input) => {
    const statuses = reported(input.items)
    const byType = new Map(statuses.flatMap(({ conditions }) => listIn(conditions)).map((each) => [each.type, each]))
    const conditions = [...byType.values()]
    return { ...aggregation(UNITED_NUMBERS, []).aggregate(input), ...(conditions.length > 0 && { conditions }) }
  },
  aggregateNone: nothingYet(UNITED_NUMBERS),
  isHealthy: (object) => object.status !== undefined && object.spec !== undefined && isEveryReplicaUpdated(object),
}

const daemonSet: ThirdPartyRule = {
  reflect: reflectionWithGenerations([...DAEMON_SET_NUMBERS, 'daemonSetHash', 'observedGeneration']),
  aggregate: (input) => {
    const hash = lastOf(
      reported(input.items).filter(({ daemonSetHash }) => daemonSetHash !== ''),
      'daemonSetHash',
    )
    return { ...aggregation(DAEMON_SET_NUMBERS, []).aggregate(input), daemonSetHash: hash ?? 0 }
  },
  aggregateNone: nothingYet(DAEMON_SET_NUMBERS, { daemonSetHash: 0 }),
  isHealthy: (object) => {
    const status = requiredBlock(object, 'status')
    return (
      status.observedGeneration === object.metadata.generation
      && !isLess(status.updatedNumberScheduled, status.desiredNumberScheduled)
      && !isLess(status.numberAvailable, status.updatedNumberScheduled)
    )
  },
  needs: (object) => podNeeds(requiredPodSpec(object)),
}

const sidecarSet: ThirdPartyRule = {
  replicas: () => ({ replicas: 0 }),
  reflect: (object) => (object.status === undefined ? {} : sums([fieldsIn(object.status)], SIDECAR_NUMBERS)),
  aggregate: ({ items }) => sums(reported(items), SIDECAR_NUMBERS),
  isHealthy: (object) => {
    if (object.status === undefined) return false
    const { matchedPods = 0, updatedPods = 0 } = fieldsIn(object.status)
    return matchedPods === 0 || updatedPods === matchedPods
  },
  retain: (manifest) => manifest,
  needs: (object) => sidecarNeeds(blockIn(object, 'spec')),
}

/**
 * Returns the dependencies of the sidecars. Service account and claims belong to the pods into which they are injected.
 */
function sidecarNeeds({ containers, volumes }: Fields): Needs {
  return { ...podNeeds({ containers, volumes }), PersistentVolumeClaim: [], ServiceAccount: [] }
}

/**
 * Reports whether every replica has the newest revision and is available. Throws an InterpretError if a number is
 * missing.
 */
function isEveryReplicaUpdated(object: UnknownObject): boolean {
  const status = requiredBlock(object, 'status')
  if (status.observedGeneration !== object.metadata.generation) return false
  const { replicas } = requiredBlock(object, 'spec')
  if (replicas !== undefined && isLess(status.updatedReplicas, replicas)) return false
  return !isLess(status.availableReplicas, status.updatedReplicas)
}

/** BroadcastJob and AdvancedCronJob: jobs on all nodes, and their schedule. */
const broadcastJob: ThirdPartyRule = {
  replicas: (object) => replicasOf(requiredBlock(object, 'spec').parallelism ?? 1, requiredPodSpec(object)),
  revise: (manifest, replicas) => revisedSpec(manifest, 'parallelism', replicas),
  reflect: reflectionOf([
    'conditions',
    'startTime',
    'completionTime',
    'active',
    'succeeded',
    'failed',
    'desired',
    'phase',
  ]),
  aggregate: ({ old, items, likeUpstream = false }) => {
    const statuses = reported(items)
    return {
      ...old,
      ...sums(statuses, ['active', 'succeeded', 'failed', 'desired']),
      phase: lastOf(statuses, 'phase') ?? '',
      conditions: broadcastConditions(items, likeUpstream),
    }
  },
  isHealthy: (object) => {
    const { desired, failed, succeeded, active } = requiredBlock(object, 'status')
    return desired !== 0 && failed === 0 && (succeeded !== 0 || active !== 0)
  },
  retain: (manifest, observed) => {
    const { labels } = blockIn(observed, 'spec', 'template', 'metadata')
    if (labels === undefined) return manifest
    const template = blockIn(manifest, 'spec', 'template')
    const metadata = { ...fieldsIn(template.metadata), labels }
    return withSpecField(manifest, 'template', { ...template, metadata })
  },
  needs: (object) => podNeeds(requiredPodSpec(object)),
}

/**
 * As upstream with `carriesOver`, a member that has not finished counts as ended in the same way as the previous
 * member.
 */
function broadcastConditions(
  items: readonly { clusterName: string; status?: Fields }[],
  carriesOver: boolean,
): Fields[] {
  let end: unknown
  const ends = items.map(({ clusterName, status }) => {
    const finished = listIn(status?.conditions).find(
      ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
    )
    end = finished?.type ?? (carriesOver ? end : undefined)
    return { clusterName, end }
  })
  const failed = ends.filter((each) => each.end === 'Failed').map(({ clusterName }) => clusterName)
  const condition = (type: string, reason: string, message: string): Fields => ({
    type,
    status: 'True',
    reason,
    message,
  })
  return [
    ...(failed.length > 0
      ? // upstream: Karmada interpreter of BroadcastJob
        [condition('Failed', 'JobFailed', `Job executed failed in member clusters: ${failed.join(', ')}`)]
      : []),
    // upstream: the same
    ...(ends.length > 0 && ends.every((each) => each.end === 'Complete')
      ? [condition('Completed', 'Completed', 'Job completed')]
      : []),
  ]
}

const advancedCronJob: ThirdPartyRule = {
  aggregate: ({ old, items }) => {
    const statuses = reported(items)
    return {
      ...old,
      active: statuses.flatMap(({ active }) => (Array.isArray(active) ? (active as unknown[]) : [])),
      type: lastOf(statuses, 'type') ?? '',
      lastScheduleTime: lastOf(statuses, 'lastScheduleTime'),
    }
  },
  needs: (object) => {
    const template = requiredBlock(requiredBlock(object, 'spec'), 'template')
    const job = fieldsIn(template.broadcastJobTemplate ?? template.jobTemplate)
    return podNeeds(blockIn(job, 'spec', 'template', 'spec'))
  },
}

export const kruiseRules: RulesByKind<ThirdPartyRule> = {
  'apps.kruise.io/v1alpha1/CloneSet': cloneSet,
  'apps.kruise.io/v1beta1/StatefulSet': statefulSet,
  'apps.kruise.io/v1alpha1/DaemonSet': daemonSet,
  'apps.kruise.io/v1alpha1/UnitedDeployment': unitedDeployment,
  'apps.kruise.io/v1alpha1/SidecarSet': sidecarSet,
  'apps.kruise.io/v1alpha1/BroadcastJob': broadcastJob,
  'apps.kruise.io/v1alpha1/AdvancedCronJob': advancedCronJob,
}
