/** A whole control plane whose members and workloads fail and recover at the command of a test, in the time of a fake clock. */
import {
  cluster as clusterKind,
  deployment as deploymentKind,
  type Deployment,
  propagationPolicy as policyKind,
  type PropagationSpec,
  resourceBinding as bindingKind,
  type ResourceBinding,
} from '@/lib/kube/kinds'
import { SIM_NODES, SIM_READY_AFTER, SIM_STATE, SIM_UNHEALTHY } from '@/lib/kube/simulation'
import { aDeployment } from '@/lib/testing/builders'
import { memberSimulation } from '@/server/members'
import { type Env, startEnv } from './start-env'
import { applicationFailoverController } from '@/server/reconcilers/application-failover'
import { bindingController } from '@/server/reconcilers/binding'
import { bindingStatusController } from '@/server/reconcilers/binding-status'
import { clusterController } from '@/server/reconcilers/cluster'
import { clusterStatusController } from '@/server/reconcilers/cluster-status'
import { detectorController } from '@/server/reconcilers/detector'
import { executionController } from '@/server/reconcilers/execution'
import { gracefulEvictionController } from '@/server/reconcilers/graceful-eviction'
import { schedulerController } from '@/server/reconcilers/scheduler'
import { taintManagerController } from '@/server/reconcilers/taint-manager'
import { workStatusController } from '@/server/reconcilers/work-status'
import { createTimeline, type Timeline } from '@/server/reconcilers/testing/timeline'

/** Speeds of the loops that take their time. */
export interface FleetOptions {
  noExecuteAfterMs?: number
  evictionsPerSecond?: number
  evictionTimeoutMs?: number
  /** Fills the control plane before the loops run. */
  prepare?: (env: Env) => Promise<void>
}

export interface FailingFleet {
  readonly env: Env
  readonly timeline: Timeline
  join(...clusters: readonly string[]): Promise<void>
  run(name: string, spec: Partial<PropagationSpec>, replicas?: number): Promise<void>
  /** Whether a cluster answers. */
  setUp(cluster: string, isUp: boolean): Promise<void>
  /** Which workloads of namespace `default` fail in a cluster. */
  setFailing(cluster: string, workloads: readonly string[]): Promise<void>
  binding(name: string): Promise<ResourceBinding>
  placed(name: string): Promise<Record<string, number>>
  /** The Deployment as a member has it. */
  copy(cluster: string, name: string): Promise<Deployment>
  close(): Promise<void>
}

/** Starts the loops from template to member with everything that evicts. Close it. */
export async function startFailingFleet(options: FleetOptions = {}): Promise<FailingFleet> {
  const { noExecuteAfterMs = 10_000, evictionsPerSecond = 1, evictionTimeoutMs = 120_000, prepare } = options
  const env = await startEnv()
  await prepare?.(env)
  const timeline = createTimeline(env)
  const { context } = timeline
  await env.run(
    ...memberSimulation(context),
    clusterStatusController(context),
    clusterController(context, { noExecuteAfterMs }),
    taintManagerController(context, { resourceEvictionRate: evictionsPerSecond }),
    detectorController(context),
    schedulerController(context),
    bindingController(context),
    executionController(context),
    workStatusController(context),
    bindingStatusController(context),
    applicationFailoverController(context),
    gracefulEvictionController(context, { gracefulEvictionTimeoutMs: evictionTimeoutMs }),
  )
  return new Fleet(env, timeline)
}

class Fleet implements FailingFleet {
  constructor(
    readonly env: Env,
    readonly timeline: Timeline,
  ) {}

  async join(...clusters: readonly string[]): Promise<void> {
    for (const name of clusters) {
      await this.env.client.create(clusterKind, {
        apiVersion: 'cluster.karmada.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name, annotations: { [SIM_NODES]: '2', [SIM_READY_AFTER]: '0s' } },
        spec: { syncMode: 'Push' },
      })
    }
    await this.timeline.pass(12)
  }

  async run(name: string, spec: Partial<PropagationSpec>, replicas = 2): Promise<void> {
    await this.env.create(policyKind, {
      apiVersion: 'policy.karmada.io/v1alpha1',
      kind: 'PropagationPolicy',
      metadata: { name, namespace: 'default' },
      spec: { resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name }], propagateDeps: true, ...spec },
    })
    await this.env.create(deploymentKind, aDeployment(name, { replicas }))
    await this.timeline.pass(5)
  }

  setUp(cluster: string, isUp: boolean): Promise<void> {
    return this.#annotate(cluster, SIM_STATE, isUp ? 'up' : 'down')
  }

  setFailing(cluster: string, workloads: readonly string[]): Promise<void> {
    const text = workloads.map((name) => `default/${name}`).join(',')
    return this.#annotate(cluster, SIM_UNHEALTHY, text === '' ? null : text)
  }

  binding(name: string): Promise<ResourceBinding> {
    return this.env.client.get(bindingKind, { namespace: 'default', name: `${name}-deployment` })
  }

  async placed(name: string): Promise<Record<string, number>> {
    const { spec } = await this.binding(name)
    return Object.fromEntries((spec.clusters ?? []).map((target) => [target.name, target.replicas ?? 0]))
  }

  copy(cluster: string, name: string): Promise<Deployment> {
    return this.env.client.member(cluster).get(deploymentKind, { namespace: 'default', name })
  }

  close(): Promise<void> {
    return this.env.close()
  }

  async #annotate(cluster: string, annotation: string, value: string | null): Promise<void> {
    const metadata = { annotations: { [annotation]: value } }
    await this.env.client.patch(clusterKind, { name: cluster }, { type: 'merge', value: { metadata } })
  }
}
