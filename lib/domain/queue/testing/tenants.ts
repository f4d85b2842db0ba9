/**
 * Simulates queues, their bindings and the writes of the controller, one reconcile at a time, so that a whole run can
 * be read as text. The decisions are the real ones; the scheduler places every binding that is not suspended.
 */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import type { FederatedResourceQuota } from '@/lib/kube/kinds/federated-resource-quota'
import type { PriorityClass } from '@/lib/kube/kinds/priority-class'
import type { QueueObject, QueueSpec } from '@/lib/kube/kinds/queue'
import type { ResourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { ObjectMeta } from '@/lib/kube/object'
import { applyMergePatch } from '@/lib/kube/patch'
import { english } from '@/lib/messages/english'
import { formatTime } from '@/lib/std/clock'
import {
  waitMessage,
  type OnDelete,
  planReleases,
  QUEUE_ANNOTATION,
  queueSnapshotOf,
  queueStatusOf,
  type QueueStep,
  type ReleasePlan,
} from '..'

export const START = Date.parse('2026-01-02T00:00:00Z')

export interface WorkloadParts {
  /** Per replica. */
  cpu?: string
  memory?: string
  replicas?: number
  priority?: number
  annotations?: Record<string, string>
  /** Default: pending, as the webhook leaves it. */
  suspended?: boolean
  /** Already placed in this cluster. */
  cluster?: string
  spec?: Partial<ResourceBinding['spec']>
  status?: ResourceBinding['status']
  metadata?: Partial<ObjectMeta>
}

/** In scenarios, a queue's namespace has the name of the queue; tests may choose another. */
export class Tenants {
  now = START
  readonly queues = new Map<string, QueueObject>()
  readonly bindings = new Map<string, ResourceBinding>()
  readonly quotas: FederatedResourceQuota[] = []
  readonly priorityClasses: PriorityClass[] = []
  clusters: Cluster[] = []
  /** Queues whose finalizer the controller removed. */
  readonly ended = new Map<string, OnDelete>()
  readonly lines: string[] = []
  readonly #printed = new Map<string, string>()
  #version = 0

  /** Adds members with these allocatable resources. */
  fleet(cpu: string, memory?: string): this {
    const condition = {
      type: 'Ready',
      status: 'True' as const,
      reason: 'ClusterReady',
      message: '',
      lastTransitionTime: formatTime(START),
    }
    this.clusters = [
      {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: this.#meta('member1'),
        spec: { syncMode: 'Push' },
        status: { conditions: [condition], resourceSummary: { allocatable: { cpu, ...(memory && { memory }) } } },
      },
    ]
    return this
  }

  queue(namespace: string, spec: QueueSpec = {}, metadata: Partial<ObjectMeta> = {}): this {
    const name = 'line'
    this.queues.set(`${namespace}/${name}`, {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Queue',
      metadata: { ...this.#meta(name), namespace, ...metadata },
      spec,
    })
    this.say(`queue ${namespace}: ${JSON.stringify(spec)}`)
    return this
  }

  change(namespace: string, patch: unknown): this {
    const key = `${namespace}/line`
    this.queues.set(key, this.#patched(this.queues.get(key)!, patch))
    this.say(`queue ${namespace} is changed: ${JSON.stringify(patch)}`)
    return this
  }

  submit(namespace: string, name: string, parts: WorkloadParts = {}): this {
    const { cpu = '1', memory, replicas = 1, priority, annotations, suspended = true, cluster } = parts
    const { spec, status, metadata } = parts
    const noted: Record<string, string> = suspended ? { [QUEUE_ANNOTATION]: `${namespace}/line` } : {}
    this.bindings.set(`${namespace}/${name}`, {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { ...this.#meta(name), namespace, annotations: { ...noted, ...annotations }, ...metadata },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name },
        replicas,
        placement: {},
        replicaRequirements: { resourceRequest: { cpu, ...(memory && { memory }) } },
        ...(priority !== undefined && { schedulePriority: { priority } }),
        ...(suspended && { suspension: { scheduling: true } }),
        ...(cluster && { clusters: [{ name: cluster, replicas }] }),
        ...spec,
      },
      ...(status && { status }),
    })
    return this
  }

  edit(key: string, patch: unknown): this {
    this.bindings.set(key, this.#patched(this.bindings.get(key)!, patch))
    return this
  }

  finish(key: string): this {
    this.bindings.delete(key)
    this.#printed.delete(key)
    this.say(`${key} has finished`)
    return this
  }

  wait(seconds: number): this {
    this.now += seconds * 1000
    return this
  }

  plan(): ReleasePlan {
    return planReleases(this.snapshot())
  }

  snapshot() {
    const { now, clusters, quotas, priorityClasses, ended } = this
    return queueSnapshotOf({
      queues: [...this.queues.values()],
      bindings: [...this.bindings.values()],
      quotas,
      clusters,
      priorityClasses,
      ended,
      now,
    })
  }

  /** Runs one reconcile: its writes, and the status of every queue. */
  pass(): ReleasePlan {
    const plan = this.plan()
    for (const step of plan.steps) this.#carryOut(step)
    for (const key of this.queues.keys()) {
      const status = queueStatusOf(plan, key, english.of)
      const queue = this.queues.get(key)
      if (queue && status) this.queues.set(key, { ...queue, status })
    }
    this.#printPlan(plan)
    return plan
  }

  /** Places up to `most` bindings that are not suspended. */
  schedule(most = Infinity): this {
    let left = most
    for (const [key, binding] of [...this.bindings].sort()) {
      if (binding.spec.suspension?.scheduling === true || binding.spec.clusters?.length || left <= 0) continue
      left -= 1
      const condition = {
        type: 'Scheduled',
        status: 'True' as const,
        reason: 'Success',
        message: '',
        lastTransitionTime: formatTime(this.now),
      }
      this.bindings.set(key, {
        ...this.#patched(binding, { spec: { clusters: [{ name: 'member1', replicas: binding.spec.replicas }] } }),
        status: { lastScheduledTime: formatTime(this.now), conditions: [condition] },
      })
      this.say(`scheduler places ${key}`)
    }
    return this
  }

  say(line: string): void {
    const seconds = Math.round((this.now - START) / 1000)
    this.lines.push(`t+${String(seconds).padStart(4, '0')} ${line}`)
  }

  #carryOut({ act, reason, details: { object, queue, namespace, name, patch } }: QueueStep): void {
    const key = `${namespace}/${name}`
    if (object === 'queue') {
      if (act === 'LetGo') {
        this.ended.set(key, this.queues.get(key)?.spec?.onDelete ?? 'Release')
        this.queues.delete(key)
      } else this.queues.set(key, this.#patched(this.queues.get(key)!, patch))
    } else this.bindings.set(key, this.#patched(this.bindings.get(key)!, patch))
    if (act !== 'Guard') this.say(`  ${queue} ${act} ${key}: ${english.of(reason.text)}`)
  }

  /** Records changes of pending workloads. */
  #printPlan(plan: ReleasePlan): void {
    for (const { pendingWorkloads, queue, hold } of plan.queues) {
      this.#printOnce(queue.key, hold.message ? `${queue.key} ${hold.state}: ${english.of(hold.message)}` : '')
      for (const { binding, why, next, position } of pendingWorkloads) {
        if (!next) this.#printOnce(binding.key, `  ${position}. ${binding.key}: ${english.of(waitMessage(why))}`)
      }
    }
  }

  #printOnce(key: string, text: string): void {
    if (this.#printed.get(key) === text) return
    this.#printed.set(key, text)
    if (text) this.say(text)
  }

  /** Null removes a field, as in a merge patch. */
  #patched<T>(object: T, patch: unknown): T {
    const next = applyMergePatch(object, patch) as T & { metadata: ObjectMeta }
    const raised = typeof patch === 'object' && patch !== null && 'spec' in patch ? 1 : 0
    return {
      ...next,
      metadata: {
        ...next.metadata,
        resourceVersion: String(++this.#version),
        generation: (next.metadata.generation ?? 1) + raised,
      },
    }
  }

  #meta(name: string): ObjectMeta {
    return {
      name,
      uid: `uid-${name}`,
      resourceVersion: String(++this.#version),
      generation: 1,
      creationTimestamp: formatTime(this.now),
    }
  }
}
