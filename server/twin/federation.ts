/** A copied federation with the look-ups that building a twin needs. */
import type { OverridePolicyLike } from '@/lib/domain/override'
import type { Binding } from '@/lib/domain/propagation'
import type { TwinExport } from '@/lib/domain/twin'
import type { Cluster, CustomResourceDefinition, Work, WorkloadSpread } from '@/lib/kube/kinds'
import {
  cluster,
  clusterOverridePolicy,
  clusterResourceBinding,
  customResourceDefinition,
  overridePolicy,
  resourceBinding,
  resourceInterpreterCustomization,
  work,
  workloadSpread,
} from '@/lib/kube/kinds'
import { parseTime } from '@/lib/std/clock'
import { keyOf, objectKey, type ObjectKey, type UnknownObject } from '@/lib/kube/object'

/** Workloads that are not healthy for longer after their last scheduling stay so in the twin. */
const STARTUP_MS = 300_000

export class Federation {
  readonly #byKind = new Map<string, UnknownObject[]>()
  readonly #objects = new Map<string, UnknownObject>()
  readonly #clusters: ReadonlyMap<string, Cluster>
  readonly #works: ReadonlyMap<ObjectKey, Work>
  readonly #scripted: ReadonlySet<string>
  readonly #spreads: ReadonlySet<string>
  readonly #definedGroups: ReadonlySet<string>
  readonly overrides: readonly OverridePolicyLike[]

  readonly #takenAt: number

  constructor({ objects, metadata }: Pick<TwinExport, 'objects' | 'metadata'>) {
    this.#takenAt = parseTime(metadata.takenAt)
    for (const object of objects) {
      const list = this.#byKind.get(object.kind)
      if (list) list.push(object)
      else this.#byKind.set(object.kind, [object])
      this.#objects.set(idOf(object.apiVersion, object.kind, objectKey(object)), object)
    }
    this.#clusters = new Map(this.of<Cluster>(cluster).map((one) => [one.metadata.name, one]))
    this.#works = new Map(this.of<Work>(work).map((one) => [objectKey(one), one]))
    this.overrides = [
      ...this.of<OverridePolicyLike>(clusterOverridePolicy),
      ...this.of<OverridePolicyLike>(overridePolicy),
    ]
    this.#scripted = new Set(
      this.of<Customization>(resourceInterpreterCustomization).map(
        ({ spec: { target } }) => `${target.apiVersion} ${target.kind}`,
      ),
    )
    this.#definedGroups = new Set(
      this.of<CustomResourceDefinition>(customResourceDefinition).map(({ spec }) => spec.group),
    )
    this.#spreads = new Set(this.of<WorkloadSpread>(workloadSpread).map(spreadTargetOf))
  }

  /** All objects of a kind. */
  of<T = UnknownObject>({ kind }: { kind: string }): T[] {
    return (this.#byKind.get(kind) ?? []) as unknown as T[]
  }

  kinds(): string[] {
    return [...this.#byKind.keys()]
  }

  bindings(): Binding[] {
    return [...this.of<Binding>(resourceBinding), ...this.of<Binding>(clusterResourceBinding)]
  }

  cluster(name: string): Cluster | undefined {
    return this.#clusters.get(name)
  }

  work(key: ObjectKey): Work | undefined {
    return this.#works.get(key)
  }

  templateOf({ spec: { resource } }: Binding): UnknownObject | undefined {
    const { apiVersion, kind, namespace, name } = resource
    return this.#objects.get(idOf(apiVersion, kind, keyOf({ name, ...(namespace && { namespace }) })))
  }

  /** Reports whether a workload was scheduled so recently that its pods may only be starting. */
  isStarting({ status }: Binding): boolean {
    const scheduledAt = parseTime(status?.lastScheduledTime ?? '')
    return this.#takenAt - scheduledAt < STARTUP_MS
  }

  /** Reports whether a customization interprets a kind. */
  isScripted(apiVersion: string, kind: string): boolean {
    return this.#scripted.has(`${apiVersion} ${kind}`)
  }

  /** Reports whether the kind of an object comes from a copied definition. */
  isDefined({ apiVersion }: UnknownObject): boolean {
    const slash = apiVersion.lastIndexOf('/')
    return slash > 0 && this.#definedGroups.has(apiVersion.slice(0, slash))
  }

  /** Reports whether a WorkloadSpread changes the pods of a workload. */
  changesPods({ kind, metadata: { namespace = '', name } }: UnknownObject): boolean {
    return this.#spreads.has(`${namespace} ${kind} ${name}`)
  }
}

interface Customization {
  spec: { target: { apiVersion: string; kind: string } }
}

function spreadTargetOf({ metadata: { namespace = '' }, spec }: WorkloadSpread): string {
  const { kind = '', name = '' } = spec?.targetRef ?? {}
  return `${namespace} ${kind} ${name}`
}

const idOf = (apiVersion: string, kind: string, key: ObjectKey): string => `${apiVersion} ${kind} ${key}`
