/** Whole rehearsals: every controller and member, from manifests to a verdict. */
import { expect, test } from 'vitest'
import type { ResourceBinding } from '@/lib/kube/kinds'
import { english } from '@/lib/messages/english'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import { readManifests } from '@/server/rehearsal/read-files'
import type { Rehearsal } from '@/server/rehearsal/rehearse'
import { createLogger } from '@/server/telemetry/logger'
import { generatedFederation } from '@/server/testing/generated-federation'
import { type FleetSource, runRehearsal } from './rehearse'

const FLEET = 'examples/rehearse/fleet.yaml'
const MENDED = 'examples/rehearse/policy-mended.yaml'

const rehearse = (spec: string, files: readonly string[]): Promise<Rehearsal> =>
  rehearseOn(spec, { manifests: files.flatMap(readManifests) })

function rehearseOn(spec: string, source: FleetSource): Promise<Rehearsal> {
  const text = `{ apiVersion: evenkeel.io/v1alpha1, kind: Scenario, metadata: { name: test }, spec: ${spec} }`
  const read = readScenario(text)
  if ('problems' in read) throw new Error(read.problems.map((one) => english.of(one)).join('\n'))
  return runRehearsal({ scenario: read.scenario, source, log: createLogger({ level: 'silent' }) })
}

const told = ({ timeline }: Rehearsal): string[] =>
  timeline.map(({ atMs, message }) => `${atMs / 1000} s: ${english.of(message)}`)

test('the same scenario and seed give the same verdict and timeline, on the demonstration with its queue and spread', async () => {
  const spec = `{ duration: 3m, assertions: [{ recoverWithin: { time: 60s } }, { maxLoad: { share: 85% } }], steps: [
    { at: 0s, lose: { clusters: [member1] } },
    { at: 20s, hold: { queue: lab/lab } },
    { at: 40s, scale: { workload: shop/web, replicas: 9 } },
    { at: 60s, recover: { clusters: [member1] } },
    { at: 90s, rebalance: { namespaces: [shop] } },
    { at: 120s, resume: { queue: lab/lab } }] }`
  const [first, second] = [
    await rehearse(spec, ['server/embedded/demo.yaml']),
    await rehearse(spec, ['server/embedded/demo.yaml']),
  ]
  expect(second).toEqual(first)
  expect(first.fleet).toMatchObject({ clusters: 3 })
  expect(told(first)).toContain('0 s: Lose member1')
  expect(first.timeline.filter(({ step }) => step !== undefined)).toHaveLength(6)
})

test('what a member reports does not deceive the verdict', async () => {
  const spec = `{ duration: 2m, assertions: [{ keepReady: { workloads: [shop/web], replicas: 6 } }], steps: [
    { at: 10s, misreport: { regions: [eu, us], as: Ready } },
    { at: 20s, failPods: { regions: [eu, us], workloads: [shop/web] } }] }`
  const { verdict } = await rehearse(spec, [FLEET, MENDED])
  expect(verdict.assertions[0]!.evidence).toMatchObject([
    { workload: { name: 'web' }, message: { args: { ready: 0, floor: 6 } } },
  ])
})

test('nodes, capacity, taints and policies change in the middle', async () => {
  const policy = `{ apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy,
    metadata: { name: web, namespace: shop }, spec: { placement: { clusterAffinity: { clusterNames: [us-1] }, spreadConstraints: null } } }`
  const spec = `{ duration: 5m, assertions: [{ nothingDeletedEverywhere: {} }], steps: [
    { at: 10s, loseNodes: { clusters: [eu-1], nodes: 2 } },
    { at: 60s, capacity: { clusters: [us-1], nodes: 4, nodeCpu: "16" } },
    { at: 70s, slowImages: { clusters: [us-1], readyAfter: 20s } },
    { at: 80s, taint: { clusters: [eu-2], key: maintenance, effect: NoSchedule } },
    { at: 120s, apply: { manifests: [${policy}] } },
    { at: 200s, untaint: { clusters: [eu-2], key: maintenance } }] }`
  const result = await rehearse(spec, [FLEET, MENDED])
  expect(result.verdict).toMatchObject({ passed: true })
  expect(told(result)).toEqual(expect.arrayContaining(['80 s: eu-2 has the taint maintenance:NoSchedule']))
  expect(told(result).join('\n')).toMatch(/Moved from .* to us-1 \(6\)/)
})

test('a step that the control plane refuses ends the rehearsal with its reason', async () => {
  const spec = `{ duration: 1m, assertions: [{ nothingDeletedEverywhere: {} }], steps: [
    { at: 10s, apply: { manifests: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: No_Name, namespace: shop } }] } }] }`
  await expect(rehearse(spec, [FLEET, MENDED])).rejects.toThrow(/^Step 1 \(apply\) was refused: .*No_Name/)
})

test('a copied federation begins where it was: complete, with every placement kept, and with the timing of Karmada', async () => {
  const federation = generatedFederation({
    clusters: 4,
    workloads: 20,
    seed: 3,
    now: Date.parse('2026-03-01T12:00:00Z'),
  })
  const binding = federation.objects.find(({ kind }) => kind === 'ResourceBinding') as unknown as ResourceBinding
  const lost = binding.spec.clusters![0]!.name
  const spec = `{ duration: 3m, assertions: [{ recoverWithin: { time: 2m } }], steps: [{ at: 10s, lose: { clusters: [${lost}] } }] }`
  const { fleet, timeline, verdict } = await rehearseOn(spec, { federation })
  expect(fleet).toMatchObject({ clusters: 4, workloads: 20, incompleteBefore: [], proof: { workloads: 20, kept: 20 } })
  const notReady = timeline.find(({ cluster, message }) => cluster === lost && message.code === 'rehearsal.seen.ready')
  expect(notReady?.atMs).toBeGreaterThan(40_000)
  // Without taint eviction, as Karmada is set by default, nothing leaves.
  expect(timeline.filter(({ workload }) => workload)).toEqual([])
  expect(verdict.passed).toBe(false)
})
