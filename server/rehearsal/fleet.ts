/** The fleet of a rehearsal: made from manifests, and what scenarios may name in it. */
import type { KnownFleet } from '@/lib/domain/rehearsal/known-fleet'
import type { Manifest } from '@/lib/domain/rehearsal/scenario'
import type { SchedulerProfile } from '@/lib/domain/placement'
import type { TwinExport } from '@/lib/domain/twin'
import { message } from '@/lib/messages/message'
import { isConditionTrue } from '@/lib/kube/conditions'
import { cluster as clusterKind, queue as queueKind, resourceBinding } from '@/lib/kube/kinds'
import { isSimulated } from '@/lib/kube/simulation'
import { type EpochMs, parseTime } from '@/lib/std/clock'
import type { Informers } from '@/server/kube/informer'
import { seedControlPlane, type SeededTwin } from '@/server/twin'
import { BadInput } from './bad-input'
import { applyManifest } from './apply'
import { workloadOf } from './facts'
import type { Observer } from './observer'
import type { EmptyPlane, Plane } from './plane'

/** Sources of the objects of a rehearsal. */
export interface Fleet {
  /** When time begins. Default: a fixed moment. */
  startsAt?: EpochMs
  /** Stores objects as they were, before the controllers run. */
  restore?: (plane: EmptyPlane) => Promise<void>
  /** Creates objects while the controllers run. */
  populate?: (plane: Plane) => Promise<void>
  /** Of a copied federation, once it is restored: whether it decides as the original, and what is missing. */
  copied?: () => Copied | undefined
}

type Copied = Pick<SeededTwin, 'proof' | 'omissions'>

export const fleetOfManifests = (objects: readonly Manifest[]): Fleet => ({
  populate: (plane) => populate(plane, objects),
})

/** A copy of a federation, at the time at which it was taken. */
export function fleetOfExport(taken: TwinExport, profile: SchedulerProfile): Fleet {
  let copied: Copied | undefined
  return {
    startsAt: parseTime(taken.metadata.takenAt),
    restore: async ({ transport, restore, now, uid }) => {
      const seeded = await seedControlPlane({ transport, restore }, taken, { now, uid, profile })
      if (seeded.counts.clusters === 0) throw new BadInput([message('rehearsal.input.noClusters')])
      copied = { proof: seeded.proof, omissions: seeded.omissions }
    },
    copied: () => copied,
  }
}

const SECOND_MS = 1_000
/** How long clusters may take to be Ready before the workloads come. */
const CLUSTERS_WITHIN_S = 60
/** A fleet in which no workload changed for this long is stable. */
const REST_S = 10

/**
 * Creates the objects: clusters first, and the others when every cluster is Ready, otherwise all workloads would be
 * placed in the first. Throws BadInput for an object that the control plane refuses.
 */
async function populate(plane: Plane, objects: readonly Manifest[]): Promise<void> {
  const clusters = objects.filter(isCluster)
  if (clusters.length === 0) throw new BadInput([message('rehearsal.input.noClusters')])
  for (const object of clusters) await create(plane, object)
  const { informers } = plane
  for (let second = 0; second < CLUSTERS_WITHIN_S && !areReady(informers); second += 1) await plane.pass(SECOND_MS)
  for (const object of objects) if (!isCluster(object)) await create(plane, object)
}

const isCluster = ({ apiVersion, kind }: Manifest): boolean =>
  kind === clusterKind.kind && apiVersion.startsWith(`${clusterKind.group}/`)

async function create(plane: Plane, object: Manifest): Promise<void> {
  try {
    await applyManifest(plane.client, object)
  } catch (error) {
    const { kind, metadata } = object
    const why = error instanceof Error ? error.message : String(error)
    throw new BadInput([message('rehearsal.input.refusedObject', { kind, name: metadata.name, why })])
  }
}

const areReady = (informers: Informers): boolean =>
  informers
    .of(clusterKind)
    .list()
    .every(({ status }) => status?.resourceSummary && isConditionTrue(status.conditions, 'Ready'))

/** Lets time pass until no workload changes any more, or this much has passed. */
export async function settle(
  plane: Plane,
  observer: Observer,
  { withinMs, onPassed }: { withinMs: number; onPassed: (ms: number) => void },
): Promise<void> {
  let calm = 0
  for (let passed = 0; passed < withinMs && calm < REST_S; passed += SECOND_MS) {
    const { changes } = observer
    await plane.pass(SECOND_MS)
    calm = observer.changes === changes ? calm + 1 : 0
    onPassed(passed + SECOND_MS)
  }
}

/** Clusters that steps can choose. Only simulated ones can fail. */
export const fleetClusters = (informers: Informers): KnownFleet['clusters'] =>
  informers
    .of(clusterKind)
    .list()
    .filter(isSimulated)
    .map(({ metadata: { name }, spec: { region, zone, zones = [] } }) => ({
      name,
      region,
      zones: zone === undefined ? zones : [...zones, zone],
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

export function knownFleet(informers: Informers): KnownFleet {
  const bindings = informers.of(resourceBinding).list()
  const workloads = bindings.flatMap((binding) => workloadOf(binding) ?? [])
  const queues = informers.of(queueKind).list()
  const known = new Set([
    ...workloads.flatMap(({ kind, namespace, name }) => [`${kind} ${namespace}/${name}`, ` ${namespace}/${name}`]),
    ...queues.map(({ metadata }) => `Queue ${metadata.namespace}/${metadata.name}`),
  ])
  return { clusters: fleetClusters(informers), has: (kind, address) => known.has(`${kind} ${address}`) }
}
