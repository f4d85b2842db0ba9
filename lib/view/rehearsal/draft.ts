/** The draft of a scenario: one YAML text, parsed into form rows and edited field by field. */
import { isSeq, parseDocument, stringify } from 'yaml'
import { readScenario } from '@/lib/domain/rehearsal/read-scenario'
import type { verbs } from '@/lib/domain/rehearsal/scenario'
import { readDocument } from '@/lib/kube/yaml-document'
import type { Message } from '@/lib/messages/message'
import { ownField } from '@/lib/std/fields'

export type Verb = keyof typeof verbs

/** The form control of a field. */
export type FieldShape = 'clusters' | 'list' | 'text' | 'number' | readonly string[]

type Shapes = Readonly<Record<string, FieldShape>>

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const
const CLUSTERS = { clusters: 'clusters', regions: 'list', zones: 'list' } as const

/** The fields of each verb. A verb without fields can be edited as YAML only. */
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

/** One list entry, as far as the form can show it. */
export interface Row {
  /** Time of a step. */
  at: string
  /** The verb, or the kind of an assertion; empty if the entry has no known one, or several. */
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

/** Parses the rows of a text; undefined while it is not YAML. */
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

/** Returns why the text is not a valid scenario, with lines. */
export function problemsIn(text: string): DraftProblem[] {
  const read = readScenario(text)
  if ('scenario' in read) return []
  return read.problems.map((message) => {
    const { line } = (message.args ?? {}) as { line?: unknown }
    return { message, ...(typeof line === 'number' && { line }) }
  })
}

/** Sets the value at a path; undefined removes the field. The rest of the text is preserved. */
export function withValue(text: string, path: readonly (string | number)[], value: unknown): string {
  const document = parseDocument(text)
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, document.createNode(value))
  return document.toString({ lineWidth: 0 })
}

/** Changes the verb of a row; clusters are kept if both verbs have them. */
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

/** Required fields of a new row. */
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

/** Adds a row with the time of the last one. */
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

/** Example scenarios. */
export const EXAMPLES = ['outage', 'drain', 'cascade', 'slow'] as const
export type Example = (typeof EXAMPLES)[number]

/** Returns an example for these clusters, of which the first fails. */
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

/** Returns a scenario with the loss of all of these clusters at once. */
export const lossText = (clusters: readonly string[]): string =>
  scenarioText(`lose-${clusters.join('-')}`, [{ at: '0s', lose: { clusters: [...clusters] } }])

const MAX_NAME_LENGTH = 253

const scenarioText = (name: string, steps: readonly object[]): string =>
  stringify(
    {
      apiVersion: 'evenkeel.io/v1alpha1',
      kind: 'Scenario',
      metadata: { name: name.slice(0, MAX_NAME_LENGTH) },
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
    // An object may occur twice in the scenario; it is written out both times.
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
