import { debounceReadiness, observeProbe, type ProbeMemory, type ReadinessThresholds } from '@/lib/domain/cluster'
import { findCondition, type NewCondition } from '@/lib/kube/conditions'
import type { Cluster } from '@/lib/kube/kinds'
import type { EpochMs } from '@/lib/std/clock'
import type { ReconcilerContext } from '@/server/runtime/controller'
import type { MemberCopies, MemberCopy } from './member-copies'
import { discover, type Discovery, probeHealth } from './probe'

/** Timing of probes; all durations in milliseconds. */
export interface ProbeTiming {
  thresholds: ReadinessThresholds
  probeTimeoutMs: number
  /** Version and API resources are read again after this time. */
  discoveryMs: number
  /** How long the first reconcile waits for the caches of nodes and pods. */
  syncTimeoutMs: number
}

/** State of each cluster between reconciles. */
export interface Memory {
  probe?: ProbeMemory
  /** When the member first responded. */
  firstSeen?: EpochMs
  discovery?: { at: EpochMs; found: Discovery }
}

/** Result of a probe. `details` is present only if the member is healthy and published as such. */
export interface Observation {
  ready: NewCondition
  details?: { discovery: Discovery; copy: MemberCopy | undefined }
}

/** Probes the member and, if it is healthy, reads its details. Updates `memory` for the next reconcile. */
export async function observe(
  context: ReconcilerContext,
  cluster: Cluster,
  { memory, copies, timing }: { memory: Memory; copies: MemberCopies; timing: ProbeTiming },
): Promise<Observation> {
  const { name } = cluster.metadata
  const code = await probeHealth(context.client.member(name), context.clock, timing.probeTimeoutMs)
  const { publish: ready, memory: probe } = debounceReadiness({
    now: context.clock.now(),
    observed: observeProbe(code),
    published: findCondition(cluster.status?.conditions, 'Ready'),
    memory: memory.probe,
    thresholds: timing.thresholds,
  })
  memory.probe = probe
  if (ready.status !== 'True') await copies.stop(name)
  if (ready.status !== 'True' || code !== 200) return { ready }
  const [discovery, copy] = await Promise.all([
    readDiscovery(context, name, { memory, timing }),
    copies.read(name, timing.syncTimeoutMs),
  ])
  return { ready, details: { discovery, copy } }
}

async function readDiscovery(
  { client, clock }: ReconcilerContext,
  cluster: string,
  { memory, timing }: { memory: Memory; timing: ProbeTiming },
): Promise<Discovery> {
  const known = memory.discovery
  if (known?.found.complete && clock.now() < known.at + timing.discoveryMs) return known.found
  const found = await discover(client.member(cluster))
  memory.discovery = { at: clock.now(), found }
  return found
}
