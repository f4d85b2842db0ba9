/** Ray: clusters with a head and groups of workers, and the jobs and services that run in them. */
import type { BindingComponent } from '../../../kube/kinds/binding'
import type { Manifest } from '../../../kube/manifest'
import { addQuantity, compareQuantity, formatQuantity, parseQuantity, ZERO } from '../../../kube/quantity'
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import { mergedNeeds, type Needs, podNeeds } from '../needs'
import type { Replicas } from '../pod-requirements'
import type { Fields } from '../shape'
import { amountOf, componentOf, replicasOf } from './pod-templates'
import { rayServiceStatus } from './ray-service-status'
import {
  blockIn,
  hasTrueCondition,
  latestOf,
  numberOr,
  reported,
  sumOf,
  sums,
  type ThirdPartyAggregation,
  type ThirdPartyRule,
  withSpecField,
} from './rule'

const conditionsIn = (status: unknown): Fields[] => listIn(fieldsIn(status).conditions)
const groupsOf = (cluster: Fields): Fields[] => listIn(cluster.workerGroupSpecs)
const headOf = (cluster: Fields): unknown => blockIn(cluster, 'headGroupSpec').template

/** Copies the status of a single member; aggregates those of several. */
const aggregating =
  (addUp: (aggregation: ThirdPartyAggregation) => Fields): Required<ThirdPartyRule>['aggregate'] =>
  (input) =>
    input.items.length === 1 ? input.items[0]?.status : { ...input.old, ...addUp(input) }

const rayCluster: ThirdPartyRule = {
  components: (object) => componentsOf(blockIn(object, 'spec')),
  isHealthy: ({ status }) => {
    const conditions = conditionsIn(status)
    const isTrue = (type: string): boolean => hasTrueCondition(conditions, type)
    return isTrue('HeadPodReady') && isTrue('RayClusterProvisioned') && !isTrue('RayClusterReplicaFailure')
  },
  aggregate: aggregating(addUpClusters),
}

const rayJob: ThirdPartyRule = {
  components: (object) => componentsOf(blockIn(object, 'spec', 'rayClusterSpec')),
  isHealthy: ({ status }) => {
    const { jobDeploymentStatus, jobStatus } = fieldsIn(status)
    return jobDeploymentStatus === 'Running' || (jobDeploymentStatus === 'Complete' && jobStatus === 'SUCCEEDED')
  },
  aggregate: aggregating(addUpJobs),
  needs: (object) =>
    mergedNeeds([
      clusterNeeds(blockIn(object, 'spec', 'rayClusterSpec')),
      podNeeds(blockIn(object, 'spec', 'submitterPodTemplate', 'spec')),
    ]),
}

const rayService: ThirdPartyRule = {
  replicas: (object) => serviceReplicas(blockIn(object, 'spec', 'rayClusterConfig')),
  revise: reviseService,
  isHealthy: ({ status }) => hasTrueCondition(conditionsIn(status), 'Ready'),
  aggregate: aggregating(({ items }) => rayServiceStatus(reported(items))),
  needs: (object) => clusterNeeds(blockIn(object, 'spec', 'rayClusterConfig')),
}

function componentsOf(cluster: Fields): BindingComponent[] {
  const head = headOf(cluster)
  return [
    ...(head === undefined ? [] : [componentOf('ray-head', 1, head)]),
    ...groupsOf(cluster).map(({ groupName, replicas, template }, index) =>
      componentOf(String(groupName || `worker-${index + 1}`), replicas ?? 0, template),
    ),
  ]
}

function clusterNeeds(cluster: Fields): Needs {
  const templates = [headOf(cluster), ...groupsOf(cluster).map(({ template }) => template)]
  return mergedNeeds(templates.map((template) => podNeeds(fieldsIn(fieldsIn(template).spec))))
}

function addUpClusters({ items }: ThirdPartyAggregation): Fields {
  const statuses = reported(items)
  const first = (name: string): unknown => statuses.map((status) => status[name]).find((value) => value !== undefined)
  const stating = statuses.find(({ state }) => state !== undefined)
  return {
    ...sums(statuses, [
      'readyWorkerReplicas',
      'availableWorkerReplicas',
      'maxWorkerReplicas',
      'minWorkerReplicas',
      'desiredWorkerReplicas',
    ]),
    conditions: statuses.flatMap(conditionsIn),
    desiredCPU: addedAmounts(statuses, 'desiredCPU'),
    desiredMemory: addedAmounts(statuses, 'desiredMemory'),
    desiredGPU: String(sumOf(statuses, 'desiredGPU')),
    desiredTPU: String(sumOf(statuses, 'desiredTPU')),
    lastUpdateTime: latestOf(statuses, 'lastUpdateTime'),
    endpoints: first('endpoints'),
    head: first('head'),
    state: stating?.state,
    stateTransitionTimes: stating?.stateTransitionTimes,
  }
}

function addedAmounts(statuses: readonly Fields[], name: string): string {
  const amounts = statuses.map((status) => status[name]).filter((amount) => amount !== undefined && amount !== '')
  return formatQuantity(amounts.map((amount) => parseQuantity(amountOf(amount))).reduce(addQuantity, ZERO))
}

/** Groups of states, from best to worst. */
const DEPLOYMENT_STATES = [
  ['Initializing'],
  ['Waiting'],
  ['Suspending', 'Suspended'],
  ['Retrying'],
  ['Running'],
  ['Complete'],
  ['ValidationFailed'],
  ['Failed'],
]
const JOB_STATES = [['PENDING'], ['RUNNING'], ['SUCCEEDED'], ['STOPPED'], ['FAILED']]

function addUpJobs({ items }: ThirdPartyAggregation): Fields {
  const statuses = reported(items)
  const deployed = worstBy(statuses, 'jobDeploymentStatus', DEPLOYMENT_STATES)
  const ran = worstBy(
    statuses.filter(({ jobStatus }) => jobStatus !== ''),
    'jobStatus',
    JOB_STATES,
  )
  return {
    jobStatus: ran?.jobStatus,
    jobDeploymentStatus: deployed?.jobDeploymentStatus,
    reason: deployed?.reason,
    message: deployed?.message,
  }
}

function worstBy(statuses: readonly Fields[], name: string, order: readonly (readonly string[])[]): Fields | undefined {
  const rank = (status: Fields): number => order.findIndex((states) => states.includes(String(status[name])))
  const known = statuses.filter((status) => status[name] !== undefined)
  return known.reduce<Fields | undefined>(
    (worst, each) => (worst && rank(worst) >= rank(each) ? worst : each),
    undefined,
  )
}

/** Returns the head and all workers as replicas, each with the largest of their requirements. */
function serviceReplicas(cluster: Fields): Replicas {
  const head = headOf(cluster)
  if (head === undefined) return { replicas: 0 }
  const groups = groupsOf(cluster)
  const replicas = 1 + groups.reduce((sum, group) => sum + numberOr(group.replicas, 0), 0)
  const { requirements } = replicasOf(1, blockIn(fieldsIn(head), 'spec'))
  if (!requirements) return { replicas }
  const asked = groups
    .map(({ template }) => replicasOf(1, blockIn(fieldsIn(template), 'spec')).requirements?.resourceRequest)
    .concat([requirements.resourceRequest])
  const largest = ['cpu', 'memory'].flatMap((name) => {
    const amounts = asked.map((request) => request?.[name]).filter((amount) => amount !== undefined)
    const [most] = amounts.toSorted((a, b) => compareQuantity(parseQuantity(b), parseQuantity(a)))
    return most === undefined ? [] : [[name, most]]
  })
  const resourceRequest = {
    ...requirements.resourceRequest,
    ...(Object.fromEntries(largest) as Record<string, string>),
  }
  return { replicas, requirements: { ...requirements, ...(largest.length > 0 && { resourceRequest }) } }
}

/** One replica is the head; the others are divided over the groups in their current proportion. */
function reviseService(manifest: Manifest, replicas: number): Manifest {
  const cluster = blockIn(manifest, 'spec', 'rayClusterConfig')
  const groups = groupsOf(cluster)
  if (groups.length === 0) return manifest
  const shares = sharesOf(
    groups.map((group) => numberOr(group.replicas, 0)),
    Math.max(0, replicas - 1),
  )
  const workerGroupSpecs = groups.map((group, index) => ({ ...group, replicas: shares[index] }))
  return withSpecField(manifest, 'rayClusterConfig', { ...cluster, workerGroupSpecs })
}

/** The last group gets the remainder from rounding. */
function sharesOf(present: readonly number[], wanted: number): number[] {
  if (wanted === 0) return present.map(() => 0)
  const total = present.reduce((sum, count) => sum + count, 0)
  const even = Math.floor(wanted / present.length)
  const shares = present
    .slice(0, -1)
    .map((count, index) =>
      total === 0 ? even + Number(index < wanted % present.length) : Math.floor((wanted * count) / total + 0.5),
    )
  return [...shares, wanted - shares.reduce((sum, count) => sum + count, 0)]
}

export const rayRules: RulesByKind<ThirdPartyRule> = {
  'ray.io/v1/RayCluster': rayCluster,
  'ray.io/v1/RayJob': rayJob,
  'ray.io/v1/RayService': rayService,
}
