/** Apache Flink: a job manager and task managers. */
import type { BindingComponent, ReplicaRequirements } from '../../../kube/kinds/binding'
import type { UnknownObject } from '../../../kube/object'
import { compareQuantity, parseQuantity } from '../../../kube/quantity'
import { fieldsIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import type { Fields } from '../shape'
import { reflectionOf } from './generations'
import { amountOf } from './pod-templates'
import { blockIn, isText, numberOr, reported, type ThirdPartyRule } from './rule'

const STATUS_FIELDS = [
  'clusterInfo',
  'error',
  'jobManagerDeploymentStatus',
  'jobStatus',
  'lifecycleState',
  'observedGeneration',
  'reconciliationStatus',
  'taskManager',
]
/** States in which a job does not need another cluster: it ended, runs, or is about to end. */
const HEALTHY_STATES = new Set([
  'RUNNING',
  'FINISHED',
  'FAILED',
  'CANCELED',
  'SUSPENDED',
  'CANCELLING',
  'FAILING',
  'RESTARTING',
])
const STARTING_STATES = new Set(['CREATED', 'INITIALIZING', 'RECONCILING'])
/** Errors of the user, which another cluster would not fix. */
const USER_ERRORS = ['ErrImagePull', 'ImagePullBackOff', 'CrashLoopBackOff']

const flinkDeployment: ThirdPartyRule = {
  isHealthy: ({ status }) => {
    const { jobStatus, jobManagerDeploymentStatus, lifecycleState, error } = fieldsIn(status)
    const { state } = fieldsIn(jobStatus)
    if (state === undefined) return jobManagerDeploymentStatus === 'READY' && lifecycleState === 'STABLE'
    if (HEALTHY_STATES.has(String(state))) return true
    return STARTING_STATES.has(String(state)) && USER_ERRORS.some((name) => isText(error) && error.includes(name))
  },
  replicas: (object) => ({ replicas: managersOf(object) + taskManagersOf(object), requirements: largestOf(object) }),
  components: (object) => [
    component(object, { name: 'jobmanager', replicas: managersOf(object), field: 'jobManager' }),
    component(object, { name: 'taskmanager', replicas: taskManagersOf(object), field: 'taskManager' }),
  ],
  reflect: reflectionOf(STATUS_FIELDS),
  // A FlinkDeployment runs in one cluster, so the last report is the whole status.
  aggregate: ({ old, items }) => {
    const last = reported(items).at(-1) ?? {
      error: '',
      jobManagerDeploymentStatus: '',
      lifecycleState: '',
      observedGeneration: 0,
    }
    return { ...old, ...Object.fromEntries(STATUS_FIELDS.map((name) => [name, last[name]])) }
  },
}

const managersOf = (object: UnknownObject): number => numberOr(blockIn(object, 'spec', 'jobManager').replicas, 1)

/** Returns the requested task managers, or as many as the job's parallelism needs. */
function taskManagersOf(object: UnknownObject): number {
  const asked = numberOr(blockIn(object, 'spec', 'taskManager').replicas, undefined)
  if (asked !== undefined) return asked
  const parallelism = numberOr(blockIn(object, 'spec', 'job').parallelism, undefined)
  const slots = numberOr(blockIn(object, 'spec', 'flinkConfiguration')['taskmanager.numberOfTaskSlots'], 0)
  return parallelism === undefined || slots === 0 ? 1 : Math.ceil(parallelism / slots)
}

const resourceOf = (object: UnknownObject, field: string): Fields => blockIn(object, 'spec', field, 'resource')
const podSpecOf = (object: UnknownObject): Fields => blockIn(object, 'spec', 'podTemplate', 'spec')

function component(
  object: UnknownObject,
  { name, replicas, field }: { name: string; replicas: number; field: string },
): BindingComponent {
  const { cpu, memory } = resourceOf(object, field)
  return { name, replicas, replicaRequirements: requirements({ cpu, memory }, podSpecOf(object)) }
}

/** Replicas of both roles share one set of requirements, so it has the larger amounts. */
function largestOf(object: UnknownObject): ReplicaRequirements {
  const [task, job] = [resourceOf(object, 'taskManager'), resourceOf(object, 'jobManager')]
  const amounts = { cpu: larger(task.cpu, job.cpu), memory: larger(task.memory, job.memory) }
  const { namespace } = object.metadata
  return { ...requirements(amounts, podSpecOf(object)), ...(namespace !== undefined && { namespace }) }
}

function larger(left: unknown, right: unknown): unknown {
  if (left === undefined || right === undefined) return left ?? right
  return compareQuantity(parseQuantity(amountOf(left)), parseQuantity(amountOf(right))) < 0 ? right : left
}

/** Returns the requirements of a replica: amounts, and the scheduling constraints of its pod template. */
function requirements(amounts: Fields, { nodeSelector, tolerations, priorityClassName }: Fields) {
  const entries = Object.entries(amounts).filter(([, amount]) => amount !== undefined)
  const claim = Object.entries({ nodeSelector, tolerations }).filter(([, value]) => isFilled(value))
  return {
    ...(entries.length > 0 && {
      resourceRequest: Object.fromEntries(entries.map(([name, amount]) => [name, amountOf(amount)])),
    }),
    ...(claim.length > 0 && { nodeClaim: Object.fromEntries(claim) }),
    ...(isText(priorityClassName) && { priorityClassName }),
  } as ReplicaRequirements
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

export const flinkRules: RulesByKind<ThirdPartyRule> = { 'flink.apache.org/v1beta1/FlinkDeployment': flinkDeployment }
