/**
 * The annotations on a Cluster object by which a simulated member is shaped with plain `kubectl`.
 * A Cluster is simulated when it carries `sim.evenkeel.io/nodes`.
 */
import { parseDuration } from '@/lib/std/duration'
import { type FieldError, invalidField, unsupportedField } from './field-error'
import type { KubeObject } from './object'
import { tryParseQuantity } from './quantity'

export const SIM_STATE = 'sim.evenkeel.io/state'
export const SIM_NODES = 'sim.evenkeel.io/nodes'
export const SIM_NODE_CPU = 'sim.evenkeel.io/node-cpu'
export const SIM_NODE_MEMORY = 'sim.evenkeel.io/node-memory'
export const SIM_READY_AFTER = 'sim.evenkeel.io/ready-after'
export const SIM_UNHEALTHY = 'sim.evenkeel.io/unhealthy'
/** `ready`: the statuses of its workloads report every pod as ready, independent of the pods. */
export const SIM_REPORTS = 'sim.evenkeel.io/reports'
/** On a pod, not on a Cluster: how long its containers run when they are meant to end. */
export const SIM_RUN_FOR = 'sim.evenkeel.io/run-for'

/** Reports whether an image has a path component that marks it as missing in all registries. */
export function isImageMissing(image: string): boolean {
  return image.split('/').some((part) => MISSING.has(part.replace(/[:@].*$/, '')))
}

const MISSING: ReadonlySet<string> = new Set(['fake', 'missing', 'nonexistent'])

/** Reports whether the embedded control plane simulates a member cluster. */
export function isSimulated(cluster: KubeObject): boolean {
  return cluster.metadata.annotations?.[SIM_NODES] !== undefined
}

/** True while a simulated member does not answer. */
export function isDown(cluster: KubeObject): boolean {
  return cluster.metadata.annotations?.[SIM_STATE] === 'down'
}

/** Reports whether a simulated member reports all pods as ready. */
export function reportsReady(cluster: KubeObject): boolean {
  return cluster.metadata.annotations?.[SIM_REPORTS] === 'ready'
}

/** How many nodes a simulated member will have once it is up; 0 for a real cluster. */
export function simulatedNodes({ metadata }: KubeObject): number {
  return parseNodeCount(metadata.annotations?.[SIM_NODES] ?? '') ?? 0
}

const MAX_NODES = 1000

/** A number of nodes; undefined if invalid or above the limit of a member. */
export function parseNodeCount(text: string): number | undefined {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : undefined
  return count !== undefined && count <= MAX_NODES ? count : undefined
}

/** A capacity as written; undefined unless it is a positive quantity. */
export function parseCapacity(text: string): string | undefined {
  const quantity = tryParseQuantity(text)
  return quantity && quantity.nano > 0n ? text : undefined
}

/** `namespace/name` of workloads, separated by commas. */
export function parseWorkloadNames(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

type Rule = (text: string) => unknown

const RULES: readonly (readonly [annotation: string, parse: Rule, detail: string])[] = [
  [SIM_NODES, parseNodeCount, `must be a whole number from 0 to ${MAX_NODES}`],
  [SIM_NODE_CPU, parseCapacity, 'must be a quantity greater than 0, for example 8 or 500m'],
  [SIM_NODE_MEMORY, parseCapacity, 'must be a quantity greater than 0, for example 32Gi'],
  [SIM_READY_AFTER, parseDuration, 'must be a duration in ms, s, m or h, for example 2s'],
  [
    SIM_UNHEALTHY,
    (text) => parseWorkloadNames(text).every((name) => /^[^/]+\/[^/]+$/.test(name)) || undefined,
    'must be namespace/name, several of them separated by commas',
  ],
]

/** Validates the annotations of a simulated member. */
export function validateSimulation({ metadata: { annotations = {} } }: KubeObject): FieldError[] {
  const field = (annotation: string): string => `metadata.annotations[${annotation}]`
  const state = annotations[SIM_STATE] ?? 'up'
  const reports = annotations[SIM_REPORTS] ?? 'truth'
  return [
    ...(state === 'up' || state === 'down' ? [] : [unsupportedField(field(SIM_STATE), state, ['up', 'down'])]),
    ...(reports === 'truth' || reports === 'ready'
      ? []
      : [unsupportedField(field(SIM_REPORTS), reports, ['truth', 'ready'])]),
    ...RULES.flatMap(([annotation, parse, detail]) => {
      const text = annotations[annotation]
      return text === undefined || parse(text) !== undefined ? [] : [invalidField(field(annotation), text, detail)]
    }),
  ]
}
