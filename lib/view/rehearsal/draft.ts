/** A scenario that is being written: one YAML text, read as rows of a form, and edited field by field. */
import { isSeq, parseDocument, stringify } from 'yaml'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import type { verbs } from '@/lib/domain/rehearsal/scenario'
import { readDocument } from '@/lib/kube/yaml-document'
import type { Message } from '@/lib/messages/message'
import { ownField } from '@/lib/std/fields'

export type Verb = keyof typeof verbs

/** How a field is written in the form. */
export type FieldShape = 'clusters' | 'list' | 'text' | 'number' | readonly string[]

type Shapes = Readonly<Record<string, FieldShape>>

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
const CLUSTERS = { clusters: 'clusters', regions: 'list', zones: 'list' } as const

/** The fields of each verb. What has none is written as YAML alone. */
export const STEP_FIELDS: Readonly<Record<Verb, Shapes>> = {
  lose: CLUSTERS,
  recover: CLUSTERS,
  drain: CLUSTERS,
  undrain: CLUSTERS,
  taint: { ...CLUSTERS, key: 'text', value: 'text', effect: EFFECTS },
  untaint: { ...CLUSTERS, key: 'text', effect: EFFECTS },
  capacity: { ...CLUSTERS, nodes: 'number', nodeCpu: 'text', nodeMemory: 'text' },
  loseNodes: { ...CLUSTERS, nodes: 'number' },
  slowImages: { ...CLUSTERS, readyAfter: 'text' },
  failPods: { ...CLUSTERS, workloads: 'list' },
  misreport: { ...CLUSTERS, as: ['Ready', 'Truth'] },
  scale: { workload: 'text', replicas: 'number' },
  hold: { queue: 'text', reason: 'text' },
  resume: { queue: 'text' },
  rebalance: { namespaces: 'list', workloads: 'list', waveSize: 'text' },
  apply: {},
  remove: {},
}

const WORKLOADS = { namespaces: 'list', workloads: 'list' } as const

export const ASSERTION_FIELDS: AssertionShapes = {
  keepBudgets: WORKLOADS,
  keepReady: { share: 'text', replicas: 'number', ...WORKLOADS },
  recoverWithin: { time: 'text', ...WORKLOADS },
  maxLoad: { share: 'text', clusters: 'clusters' },
  nothingDeletedEverywhere: WORKLOADS,
}
type AssertionShapes = Readonly<
  Record<'keepBudgets' | 'keepReady' | 'recoverWithin' | 'maxLoad' | 'nothingDeletedEverywhere', Shapes>
>

export type AssertionKind = keyof AssertionShapes
export type Part = 'steps' | 'assertions'

/** One entry of a list, as far as the form can show it. */
export interface Row {
  /** Of a step. */
  at: string
  /** The verb, or the kind of an assertion; empty if the entry has none that is known, or several. */
  kind: string
  given: Readonly<Record<string, unknown>>
}

export interface DraftProblem {
  message: Message
  line?: number
}

export interface Draft {
  name: string
  duration: string
  steps: readonly Row[]
  assertions: readonly Row[]
}

/** The rows of a text; undefined while it is not even YAML. */
export function readDraft(text: string): Draft | undefined {
  const read = readDocument(text, '1.2')
  if ('refused' in read) return undefined
  const { metadata, spec } = recordOf(read.value)
  const { duration, steps, assertions } = recordOf(spec)
  return {
    name: textOf(recordOf(metadata).name),
    duration: textOf(duration),
    steps: rowsIn(steps, STEP_FIELDS),
    assertions: rowsIn(assertions, ASSERTION_FIELDS),
  }
}

/** What keeps the text from being a scenario, each with its line. */
export function problemsIn(text: string): DraftProblem[] {
  const read = readScenario(text)
  if ('scenario' in read) return []
  return read.problems.map((message) => {
    const { line } = (message.args ?? {}) as { line?: unknown }
    return { message, ...(typeof line === 'number' && { line }) }
  })
}

/** The text with another value at a path; undefined removes the field. The rest stays as it is written. */
export function withValue(text: string, path: readonly (string | number)[], value: unknown): string {
  const document = parseDocument(text)
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

/** The text with another verb in that row; the clusters stay if both have some. */
export function withKind(text: string, { part, index }: RowAt, kind: Verb | AssertionKind): string {
  const row = readDraft(text)?.[part][index]
  const shapes: Readonly<Record<string, Shapes>> = part === 'steps' ? STEP_FIELDS : ASSERTION_FIELDS
  const kept = Object.entries(row?.given ?? {}).filter(([field]) => ownField(shapes[kind]!, field) !== undefined)
  const given = { ...DEFAULTS[kind], ...Object.fromEntries(kept) }
  return withValue(text, ['spec', part, index], { ...(part === 'steps' && { at: row?.at || '0s' }), [kind]: given })
}

export interface RowAt {
  part: Part
  index: number
}

/** What a new row needs at least. */
const DEFAULTS: Readonly<Record<string, object>> = {
  taint: { key: 'maintenance', effect: 'NoSchedule' },
  untaint: { key: 'maintenance' },
  capacity: { nodes: 1 },
  loseNodes: { nodes: 1 },
  slowImages: { readyAfter: '2m' },
  failPods: { workloads: [] },
  misreport: { as: 'Ready' },
  scale: { workload: 'namespace/name', replicas: 1 },
  hold: { queue: 'namespace/name' },
  resume: { queue: 'namespace/name' },
  keepReady: { share: '50%' },
  recoverWithin: { time: '2m' },
  maxLoad: { share: '85%' },
  apply: { manifests: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'new' } }] },
  remove: { apiVersion: 'v1', kind: 'Namespace', name: 'new' },
}

/** The text with one more row: as the last one, with its time. */
export function withRow(text: string, part: Part, clusters: readonly string[]): string {
  const rows = readDraft(text)?.[part] ?? []
  const row =
    part === 'steps'
      ? { at: rows.at(-1)?.at || '0s', lose: { clusters: clusters.slice(0, 1) } }
      : { nothingDeletedEverywhere: {} }
  const document = parseDocument(text)
  if (isSeq(document.getIn(['spec', part]))) document.addIn(['spec', part], document.createNode(row))
  else document.setIn(['spec', part], document.createNode([row]))
  return document.toString({ lineWidth: 0 })
}

/** Scenarios to begin with. */
export const EXAMPLES = ['outage', 'drain', 'cascade', 'slow'] as const
export type Example = (typeof EXAMPLES)[number]

/** An example about these clusters, the first of which is hit. */
export function exampleText(example: Example, clusters: readonly string[]): string {
  const [first = 'member1', second = first] = clusters
  const one = { clusters: [first] }
  const steps = {
    outage: [
      { at: '0s', lose: one },
      { at: '5m', recover: one },
    ],
    drain: [
      { at: '0s', drain: one },
      { at: '5m', undrain: one },
    ],
    cascade: [
      { at: '0s', lose: one },
      { at: '60s', lose: { clusters: [second] } },
      { at: '5m', recover: one },
    ],
    slow: [
      {
        at: '0s',
        slowImages: { clusters: clusters.slice(1, 50).length > 0 ? clusters.slice(1, 50) : [first], readyAfter: '2m' },
      },
      { at: '10s', lose: one },
    ],
  }
  return scenarioText(`${example}-${first}`, steps[example])
}

/** The loss of these clusters at once. */
export const lossText = (clusters: readonly string[]): string =>
  scenarioText(`lose-${clusters.join('-')}`, [{ at: '0s', lose: { clusters: [...clusters] } }])

const LONGEST_NAME = 253

const scenarioText = (name: string, steps: readonly object[]): string =>
  stringify(
    {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Scenario',
      metadata: { name: name.slice(0, LONGEST_NAME) },
      spec: {
        duration: '10m',
        steps,
        assertions: [
          { keepBudgets: {} },
          { recoverWithin: { time: '2m' } },
          { maxLoad: { share: '85%' } },
          { nothingDeletedEverywhere: {} },
        ],
      },
    },
    // One object may stand in two places: written out in both.
    { aliasDuplicateObjects: false, lineWidth: 0 },
  )

function rowsIn(value: unknown, kinds: Readonly<Record<string, Shapes>>): Row[] {
  if (!Array.isArray(value)) return []
  return value.map((entry: unknown) => {
    const fields = recordOf(entry)
    const known = Object.keys(fields).filter((key) => ownField(kinds, key) !== undefined)
    const kind = known.length === 1 ? known[0]! : ''
    return { at: textOf(fields.at), kind, given: kind === '' ? {} : recordOf(ownField(fields, kind)) }
  })
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
