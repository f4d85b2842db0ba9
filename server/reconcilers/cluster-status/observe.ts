import { dampReadiness, observeProbe, type ProbeMemory, type ReadinessThresholds } from '@/lib/domain/cluster'
import { findCondition, type NewCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { MemberCopies, MemberCopy } from './member-copies'
import { discover, type Discovery, probeHealth } from './probe'

/** How members are looked at; all times in milliseconds. */
export interface Rhythm {
  thresholds: ReadinessThresholds
  probeTimeoutMs: number
  /** Version and served kinds are read again when older than this. */
  discoveryMs: number
  /** How long a first look waits for the copies of nodes and pods. */
  patienceMs: number
}

/** What is kept of each cluster between passes. */
export interface Memory {
  probe?: ProbeMemory
  /** When it answered first. */
  firstSeen?: EpochMs
  discovery?: { at: EpochMs; found: Discovery }
}

/** What one pass saw. `details` only when the member is healthy and published as such. */
export interface Observation {
  ready: NewCondition
  details?: { discovery: Discovery; copy: MemberCopy | undefined }
}

/** Probes the member and, when it is healthy, reads what it tells. Remembers what the next pass needs. */
export async function observe(
  context: ReconcilerContext,
  cluster: Cluster,
  { memory, copies, rhythm }: { memory: Memory; copies: MemberCopies; rhythm: Rhythm },
): Promise<Observation> {
  const { name } = cluster.metadata
  const code = await probeHealth(context.client.member(name), context.clock, rhythm.probeTimeoutMs)
  const { publish: ready, memory: probe } = dampReadiness({
    now: context.clock.now(),
    observed: observeProbe(code),
    published: findCondition(cluster.status?.conditions, 'Ready'),
    memory: memory.probe,
    thresholds: rhythm.thresholds,
  })
  memory.probe = probe
  if (ready.status !== 'True') await copies.stop(name)
  if (ready.status !== 'True' || code !== 200) return { ready }
  const [discovery, copy] = await Promise.all([
    readDiscovery(context, name, { memory, rhythm }),
    copies.read(name, rhythm.patienceMs),
  ])
  return { ready, details: { discovery, copy } }
}

async function readDiscovery(
  { client, clock }: ReconcilerContext,
  cluster: string,
  { memory, rhythm }: { memory: Memory; rhythm: Rhythm },
): Promise<Discovery> {
  const known = memory.discovery
  if (known?.found.complete && clock.now() < known.at + rhythm.discoveryMs) return known.found
  const found = await discover(client.member(cluster))
  memory.discovery = { at: clock.now(), found }
  return found
}
