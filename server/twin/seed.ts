/** Builds a twin: the objects of an export in an empty embedded control plane, with members that run them already. */
import type { Binding } from '@/lib/domain/propagation'
import {
  type MemberShape,
  type Omission,
  Omissions,
  proveTwin,
  type TwinExport,
  type TwinProof,
} from '@/lib/domain/twin'
import type { SchedulerProfile } from '@/lib/domain/placement'
import {
  cluster as clusterKind,
  type Cluster,
  clusterResourceBinding,
  customResourceDefinition,
  namespace as namespaceKind,
  resourceBinding,
  work as workKind,
} from '@/lib/kube/kinds'
import { objectKey, type UnknownObject } from '@/lib/kube/object'
import { formatTime, type EpochMs } from '@/lib/std/clock'
import type { Restore, Restored } from '@/server/apiserver'
import { clientOver } from '@/server/kube/rest-client'
import type { Transport } from '@/server/kube/transport'
import { Federation } from './federation'
import { definitionsIn, type MemberPlan, planMember } from './member-plan'
import { type PlacedWorkload, placedWorkloads } from './placed-workloads'

/** An empty embedded control plane in this process. Its controllers must not run yet. */
export interface SeedTarget {
  transport: Transport
  restore: Restore
}

export interface SeedOptions {
  now: EpochMs
  uid: () => string
  /** Default: Evenkeel's. */
  profile?: SchedulerProfile
}

export interface SeededTwin {
  omissions: Omission[]
  proof: TwinProof
  /** What was created. */
  counts: { clusters: number; bindings: number; nodes: number; pods: number; objects: number }
}

/** Resolves when everything is stored; start the controllers then. */
export async function seedControlPlane(
  target: SeedTarget,
  twinExport: TwinExport,
  options: SeedOptions,
): Promise<SeededTwin> {
  const seeding = new Seeding(target, twinExport, options)
  return seeding.run()
}

const PLANE = ''
/** Kinds with an order of their own; all others are stored between clusters and bindings. */
const ORDERED = new Set<string>(
  [namespaceKind, customResourceDefinition, clusterKind, resourceBinding, clusterResourceBinding, workKind].map(
    ({ kind }) => kind,
  ),
)
/** A restored definition is served a moment later. */
const SERVED_TRIES = 100
const SERVED_AFTER_MS = 20

class Seeding {
  readonly #federation: Federation
  readonly #omissions: Omissions
  readonly #context: { now: string; uid: () => string }
  #counts = { clusters: 0, bindings: 0, nodes: 0, pods: 0, objects: 0 }

  constructor(
    private readonly target: SeedTarget,
    twinExport: TwinExport,
    private readonly options: SeedOptions,
  ) {
    this.#federation = new Federation(twinExport)
    this.#omissions = new Omissions(twinExport.omissions)
    this.#context = { now: formatTime(options.now), uid: options.uid }
  }

  async run(): Promise<SeededTwin> {
    const federation = this.#federation
    await this.#restore(PLANE, federation.of(namespaceKind))
    await this.#restore(PLANE, federation.of(customResourceDefinition))
    const plans = this.#plans()
    for (const plan of plans.values()) await this.#seedMember(plan)
    for (const kind of federation.kinds()) {
      if (!ORDERED.has(kind)) await this.#restore(PLANE, federation.of({ kind }))
    }
    await this.#seedBindings()
    return { omissions: this.#omissions.list(), proof: await this.#prove(), counts: this.#counts }
  }

  #plans(): Map<string, MemberPlan> {
    const plans = new Map(
      this.#federation
        .of<Cluster>(clusterKind)
        .map((cluster) => [cluster.metadata.name, { cluster, placed: [] as PlacedWorkload[] }]),
    )
    for (const binding of this.#federation.bindings()) {
      for (const placed of placedWorkloads(this.#federation, binding, this.#context)) {
        plans.get(placed.cluster)?.placed.push(placed)
      }
    }
    return plans
  }

  /** The cluster first: a new one begins with an empty member. */
  async #seedMember(plan: MemberPlan): Promise<void> {
    const { name } = plan.cluster.metadata
    const member = planMember(plan, { now: this.options.now, uid: this.options.uid })
    this.#warnShape(plan, member.shape)
    await this.#restore(PLANE, [member.cluster])
    await this.#restore(name, definitionsIn(this.#federation.of(customResourceDefinition), plan.cluster))
    await this.#restore(name, member.objects)
    await this.#restore(PLANE, member.works)
    this.#counts.clusters += 1
    this.#counts.nodes += member.shape.nodes.length
    this.#counts.pods += plan.placed.reduce((sum, { replicas }) => sum + replicas, 0)
  }

  #warnShape({ cluster, placed }: MemberPlan, { merged, exceeds }: MemberShape): void {
    const { metadata, spec, status } = cluster
    const { kind } = clusterKind
    const { name } = metadata
    if (spec.syncMode === 'Pull') this.#omissions.add('PullMode', kind, { name })
    if (merged) this.#omissions.add('NodesMerged', kind, { name })
    if (!status?.resourceSummary) this.#omissions.add('NoSummary', kind, { name })
    else if (exceeds) this.#omissions.add('SummaryDiffers', kind, { name })
    for (const { limited, binding } of placed) {
      if (limited) this.#omissions.add('PodsLimited', binding.spec.resource.kind, { name: objectKey(binding) })
    }
  }

  /** Bindings name the version of their template: it has a new one here, which is no change to dispatch. */
  async #seedBindings(): Promise<void> {
    const versions = this.#versions
    const bindings = this.#federation.bindings().map((binding) => {
      const { resource } = binding.spec
      const resourceVersion = versions.get(resource.uid ?? '') ?? resource.resourceVersion
      const spec = {
        ...binding.spec,
        resource: { ...resource, ...(resourceVersion !== undefined && { resourceVersion }) },
      }
      return { ...binding, spec } as unknown as UnknownObject
    })
    const results = await this.#restore(PLANE, bindings)
    this.#counts.bindings = results.filter(({ object }) => object !== undefined).length
  }

  /** Versions of restored objects by UID. */
  readonly #versions = new Map<string, string>()

  async #restore(keyspace: string, objects: readonly UnknownObject[]): Promise<Restored[]> {
    if (objects.length === 0) return []
    let results = await this.target.restore(keyspace, objects)
    const isAwaited = (index: number): boolean =>
      results[index]!.fault === 'NotServed' && this.#federation.isDefined(objects[index]!)
    for (let tries = 0; tries < SERVED_TRIES && objects.some((_, index) => isAwaited(index)); tries += 1) {
      await sleep(SERVED_AFTER_MS)
      const again = await this.target.restore(
        keyspace,
        objects.filter((_, index) => isAwaited(index)),
      )
      results = results.map((result, index) => (isAwaited(index) ? again.shift()! : result))
    }
    for (const [index, result] of results.entries()) this.#note(objects[index]!, result)
    return results
  }

  #note(given: UnknownObject, { object, fault, message, dropped }: Restored): void {
    const name = objectKey(given)
    if (object) {
      this.#counts.objects += 1
      this.#versions.set(object.metadata.uid, object.metadata.resourceVersion)
    }
    if (dropped.length > 0) this.#omissions.add('FieldsDropped', given.kind, { name, detail: dropped.join(', ') })
    if (fault === undefined || fault === 'Exists') return
    const reason = fault === 'NotServed' ? 'NotServedHere' : fault
    this.#omissions.add(reason, given.kind, { name, ...(message !== undefined && { detail: message }) })
  }

  /** Over what is stored, not over the export. */
  async #prove(): Promise<TwinProof> {
    const client = clientOver(this.target.transport, 'evenkeel-twin')
    const [namespaced, whole, clusters] = await Promise.all([
      client.list(resourceBinding),
      client.list(clusterResourceBinding),
      client.list(clusterKind),
    ])
    const { now, profile } = this.options
    const bindings = [...namespaced.items, ...whole.items] as readonly Binding[]
    return proveTwin({ bindings, clusters: clusters.items, now, ...(profile && { profile }) })
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
