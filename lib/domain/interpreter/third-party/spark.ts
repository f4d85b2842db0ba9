/** Spark: a driver and executors. */
import type { BindingComponent, ReplicaRequirements } from '../../../kube/kinds/binding'
import { InterpretError } from '../interpret-error'
import { fieldsIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import type { Fields } from '../shape'
import { reflectionOf } from './generations'
import { amountOf } from './pod-templates'
import { blockIn, isText, latestOf, numberOr, reported, sums, type ThirdPartyRule } from './rule'

/** Severity of states: the higher one wins in an aggregation. */
const SEVERITY = new Map<unknown, number>([
  ['SUBMITTED', 1],
  ['PENDING_RERUN', 1],
  ['COMPLETED', 2],
  ['SUSPENDING', 3],
  ['SUSPENDED', 3],
  ['RUNNING', 4],
  ['RESUMING', 4],
  ['SUCCEEDING', 4],
  ['INVALIDATING', 5],
  ['FAILING', 6],
  ['FAILED', 6],
  ['SUBMISSION_FAILED', 6],
])

const sparkApplication: ThirdPartyRule = {
  isHealthy: ({ status }) => {
    const { state } = fieldsIn(fieldsIn(status).applicationState)
    return state !== undefined && state !== false && state !== 'FAILED'
  },
  components: (object) => {
    const spec = blockIn(object, 'spec')
    return [
      component({ name: 'driver', replicas: 1, role: fieldsIn(spec.driver) }, spec),
      component({ name: 'executor', replicas: executorsOf(spec), role: fieldsIn(spec.executor) }, spec),
    ]
  },
  reflect: reflectionOf([
    'applicationState',
    'driverInfo',
    'executorState',
    'sparkApplicationId',
    'lastSubmissionAttemptTime',
    'submissionAttempts',
    'executionAttempts',
    'submissionID',
    'terminationTime',
  ]),
  aggregate: ({ old, items }) => {
    if (items.length === 1) return items[0]?.status
    const statuses = reported(items)
    return {
      ...old,
      ...sums(statuses, ['executionAttempts', 'submissionAttempts']),
      applicationState: worst(statuses),
      executorState: Object.fromEntries(
        statuses.flatMap(({ executorState }) => Object.entries(fieldsIn(executorState))),
      ),
      lastSubmissionAttemptTime: latestOf(statuses, 'lastSubmissionAttemptTime') ?? '',
      terminationTime: latestOf(statuses, 'terminationTime') ?? '',
    }
  },
}

function worst(statuses: readonly Fields[]): unknown {
  const states = statuses.map(({ applicationState }) => applicationState).filter((state) => state !== undefined)
  const severity = (state: unknown): number => SEVERITY.get(fieldsIn(state).state) ?? 0
  return states.reduce((worstYet, state) => (severity(state) > severity(worstYet) ? state : worstYet), states[0])
}

/** With dynamic allocation, at least the initial and the minimum number of executors. */
function executorsOf(spec: Fields): number {
  const instances = numberOr(blockIn(spec, 'executor').instances, 1)
  const { enabled, initialExecutors, minExecutors } = blockIn(spec, 'dynamicAllocation')
  return enabled ? Math.max(instances, numberOr(initialExecutors, 1), numberOr(minExecutors, 1)) : instances
}

interface Role {
  name: string
  replicas: number
  role: Fields
}

function component({ name, replicas, role }: Role, spec: Fields): BindingComponent {
  const { nodeSelector, tolerations, affinity, priorityClassName } = role
  const hardNodeAffinity = blockIn(fieldsIn(affinity), 'nodeAffinity').requiredDuringSchedulingIgnoredDuringExecution
  const claim = Object.entries({ nodeSelector, tolerations, hardNodeAffinity }).filter(
    ([, value]) => Object.keys((value ?? {}) as object).length > 0,
  )
  const replicaRequirements = {
    resourceRequest: { cpu: amountOf(role.cores ?? 1), memory: memoryOf(role, spec), ...gpusOf(role) },
    ...(claim.length > 0 && { nodeClaim: Object.fromEntries(claim) }),
    ...(isText(priorityClassName) && { priorityClassName }),
  } as ReplicaRequirements
  return { name, replicas, replicaRequirements }
}

function gpusOf({ gpu }: Fields): Record<string, string> {
  const { name, quantity } = fieldsIn(gpu)
  const count = numberOr(quantity, 0)
  return isText(name) && count > 0 ? { [name]: amountOf(count) } : {}
}

const UNITS = ['B', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const
const MIN_OVERHEAD: Memory = { value: 384, power: 2 }

/** An amount with a power of 1024 as its unit. */
interface Memory {
  value: number
  power: number
}

/**
 * Returns the memory of a JVM plus its overhead: the configured one, otherwise a fraction of the memory and at least
 * 384 MiB.
 */
function memoryOf({ memory = '1g', memoryOverhead }: Fields, spec: Fields): string {
  const heap = javaMemory(memory)
  const overhead = memoryOverhead === undefined ? defaultOverhead(heap, spec) : javaMemory(memoryOverhead)
  const power = Math.min(heap.power, overhead.power)
  const total = inPower(heap, power) + inPower(overhead, power)
  return amountOf(`${total.toFixed(6)}${UNITS[power]}`)
}

function defaultOverhead(heap: Memory, { type, memoryOverheadFactor }: Fields): Memory {
  if (!isText(type)) throw new InterpretError('spec.type: expected text, found nothing')
  const isJvm = ['java', 'scala'].includes(type.toLowerCase())
  const factor = numberOr(memoryOverheadFactor, isJvm ? 0.1 : 0.4)
  const power = Math.min(heap.power, MIN_OVERHEAD.power)
  return { value: Math.max(inPower(heap, power) * factor, inPower(MIN_OVERHEAD, power)), power }
}

const inPower = ({ value, power }: Memory, wanted: number): number => value * 1024 ** (power - wanted)

/** Parses amounts such as `512m` and `4gb`, in powers of 1024. */
function javaMemory(text: unknown): Memory {
  const [, value, unit] = /^(\d+\.?\d*)([bkmgtp]b?)$/.exec(String(text).toLowerCase()) ?? []
  if (value === undefined) throw new InterpretError(`memory ${JSON.stringify(text)} is no amount with a unit`)
  return { value: Number(value), power: 'bkmgtp'.indexOf(unit?.charAt(0) ?? '') }
}

export const sparkRules: RulesByKind<ThirdPartyRule> = {
  'sparkoperator.k8s.io/v1beta2/SparkApplication': sparkApplication,
}
