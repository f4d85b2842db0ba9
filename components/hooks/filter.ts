/**
 * The filter of lists, as typed: words that all must match. `ns=payments` asks one field, `ns=payments,shop` for either,
 * `-ns=payments` excludes, a word without a field is looked for in the name. Capitals do not matter.
 */
import type { ClusterView, State, WorkloadView } from '@/lib/view/model'
import type { SpreadView } from '@/lib/view/spread-model'
import { nameOf } from '@/lib/view/workload-id'

export interface FilterTerm {
  field?: string
  text: string
  negated: boolean
}

/** What each field of a row says; a term matches when one of the texts contains its text. */
type Fields = Record<string, readonly string[]>

export function parseFilter(filter: string): FilterTerm[] {
  return filter
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(parseTerm)
}

function parseTerm(word: string): FilterTerm {
  const negated = word.startsWith('-') && word.length > 1
  const body = negated ? word.slice(1) : word
  const at = body.indexOf('=')
  return at > 0 ? { field: body.slice(0, at), text: body.slice(at + 1), negated } : { text: body, negated }
}

/** True when every term matches. A field that the list does not have matches nothing. */
export function matchesFilter(terms: readonly FilterTerm[], fields: Fields): boolean {
  return terms.every((term) => matchesTerm(term, fields) !== term.negated)
}

function matchesTerm({ field = 'name', text }: FilterTerm, fields: Fields): boolean {
  const wanted = text.split(',').filter((part) => part !== '')
  return (fields[field] ?? []).some(
    (value) => wanted.length === 0 || wanted.some((part) => value.toLowerCase().includes(part)),
  )
}

/** Query of a list from the URL. */
export interface ListQuery {
  filter: string
  state: State | undefined
}

/** Selects the rows of a list by state and by a filter over the given fields. */
export const selectBy =
  <T extends { state: { state: State } }>(fieldsOf: (row: T) => Fields) =>
  <R extends T>(rows: readonly R[], { filter, state }: ListQuery): R[] => {
    const terms = parseFilter(filter)
    return rows.filter(
      (row) => (state === undefined || row.state.state === state) && matchesFilter(terms, fieldsOf(row)),
    )
  }

export function workloadFields(workload: WorkloadView): Fields {
  return {
    name: [nameOf(workload.ref)],
    ns: [workload.ref.namespace ?? ''],
    kind: [workload.ref.kind],
    cluster: workload.cells.map((cell) => cell.cluster),
    policy: [workload.policy?.name ?? ''],
    strategy: [workload.strategy],
    state: [workload.state.state],
    held: workload.held ? ['yes', workload.held.by] : ['no'],
    queue: [workload.held?.queue ?? ''],
    drift: [workload.drift === undefined ? 'no' : 'yes'],
  }
}

export function clusterFields(cluster: ClusterView): Fields {
  return {
    name: [cluster.name],
    region: [cluster.region ?? ''],
    zone: cluster.zones,
    provider: [cluster.provider ?? ''],
    version: [cluster.kubernetesVersion ?? ''],
    taint: cluster.taints.map((taint) => `${taint.key}=${taint.value ?? ''}:${taint.effect}`),
    state: [cluster.state.state],
  }
}

export function spreadFields(spread: SpreadView): Fields {
  return {
    name: [spread.id],
    ns: [spread.namespace],
    workload: [nameOf(spread.target)],
    kind: [spread.target.kind],
    subset: spread.subsets.map((subset) => subset.name),
    cluster: spread.clusters.map((cluster) => cluster.cluster),
    strategy: [spread.strategy],
    state: [spread.state.state],
  }
}
