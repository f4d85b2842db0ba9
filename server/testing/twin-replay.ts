/**
 * Copies a generated federation into a twin, lets the same cluster fail in both, and compares where the workloads end.
 * Both run through every loop from template to member, in the time of a fake clock.
 */
import type { Omission, TwinProof } from '@/lib/domain/twin'
import type { ResourceBinding } from '@/lib/kube/kinds'
import { createHttpTransport } from '@/server/kube/http-transport'
import type { Transport } from '@/server/kube/transport'
import { readFederation, seedControlPlane, type SeededTwin } from '@/server/twin'
import { type FailingFleet, type FleetOptions, startFailingFleet } from './failing-fleet'
import { bindingsOf, busiest, OUTAGE_S, type OutageShape, populate } from './outage-replay'
import type { Env } from './start-env'

export interface TwinReplay {
  /** Methods of all requests to the original while it was read. */
  methods: string[]
  proof: TwinProof
  omissions: readonly Omission[]
  counts: SeededTwin['counts']
  /**
   * Placements that differ between original and twin after the controllers of the twin became idle, before the outage.
   */
  differBefore: string[]
  cluster: string
  /** Workloads that ran in the lost cluster. */
  concerned: number
  /** Of them, those that end with as many replicas, and in the same clusters, as in the original. */
  sameCounts: number
  sameDestinations: number
  differences: { workload: string; original: string; twin: string }[]
}

/** Long enough that every controller of the twin has looked at everything. */
const SETTLING_S = 5

/** `outageSeconds`: longer than detection, taint and turns of every workload. */
export async function replayInTwin(shape: OutageShape, outageSeconds = OUTAGE_S): Promise<TwinReplay> {
  const options = { evictionsPerSecond: shape.evictionsPerSecond ?? 20, noExecuteAfterMs: 5_000 }
  const original = await startFailingFleet(options)
  try {
    await populate(original, shape)
    const methods = new Set<string>()
    const read = await readFederation(recorded(original.env, methods), {
      source: original.env.url,
      now: original.env.clock.now(),
    })
    const { fleet: twin, seeded } = await startTwin(options, original, read.export)
    try {
      await twin.timeline.pass(SETTLING_S)
      const before = differencesBetween(original, twin)
      const cluster = busiest(bindingsOf(original))
      const concerned = new Set(bindingsOf(original).filter(runsIn(cluster)).map(nameOf))
      for (const fleet of [original, twin]) {
        await fleet.setUp(cluster, false)
        await fleet.timeline.pass(outageSeconds)
      }
      const differences = differencesBetween(original, twin).filter(({ workload }) => concerned.has(workload))
      return {
        methods: [...methods],
        proof: seeded.proof,
        omissions: seeded.omissions,
        counts: seeded.counts,
        differBefore: before.map(({ workload }) => workload),
        cluster,
        concerned: concerned.size,
        sameCounts: concerned.size - differences.filter((one) => countOf(one.original) !== countOf(one.twin)).length,
        sameDestinations: concerned.size - differences.length,
        differences,
      }
    } finally {
      await twin.close()
    }
  } finally {
    await original.close()
  }
}

async function startTwin(
  options: FleetOptions,
  original: FailingFleet,
  taken: Parameters<typeof seedControlPlane>[1],
): Promise<{ fleet: FailingFleet; seeded: SeededTwin }> {
  let seeded: SeededTwin | undefined
  const prepare = async (env: Env): Promise<void> => {
    env.clock.advance(original.env.clock.now() - env.clock.now())
    seeded = await seedControlPlane({ transport: transportTo(env), restore: env.restore }, taken, {
      now: env.clock.now(),
      uid: () => crypto.randomUUID(),
    })
  }
  const fleet = await startFailingFleet({ ...options, prepare })
  return { fleet, seeded: seeded! }
}

const transportTo = ({ url, token }: Env): Transport => createHttpTransport({ url, token })

function recorded(env: Env, methods: Set<string>): Transport {
  const transport = transportTo(env)
  return {
    ...transport,
    call: (request) => {
      methods.add(request.method)
      return transport.call(request)
    },
  }
}

const nameOf = ({ spec }: ResourceBinding): string => spec.resource.name
const runsIn =
  (cluster: string) =>
  ({ spec }: ResourceBinding): boolean =>
    spec.clusters?.some(({ name }) => name === cluster) === true

const placesOf = ({ spec }: ResourceBinding): string =>
  (spec.clusters ?? [])
    .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
    .sort()
    .join(' ')

const countOf = (places: string): number =>
  places.split(' ').reduce((sum, place) => sum + Number(place.split(':')[1] ?? 0), 0)

function differencesBetween(original: FailingFleet, twin: FailingFleet): TwinReplay['differences'] {
  const others = new Map(bindingsOf(twin).map((binding) => [nameOf(binding), placesOf(binding)]))
  return bindingsOf(original)
    .map((binding) => ({
      workload: nameOf(binding),
      original: placesOf(binding),
      twin: others.get(nameOf(binding)) ?? 'missing',
    }))
    .filter((one) => one.original !== one.twin)
}
