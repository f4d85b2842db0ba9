/** The selectors of a list or watch as one predicate. */
import type { UnknownObject } from '@/lib/kube/object'
import { matchesRequirements } from '@/lib/kube/selector'
import { type FieldRequirement, parseFieldSelector, parseLabelSelector } from '@/lib/kube/selector-text'
import { badRequest } from '../failures'
import type { Entry } from '../store/store'
import type { Resource } from './resource'
import { fieldReader } from './selectable-fields'

export interface Selection {
  /** True when no selector narrows the list. */
  everything: boolean
  /** True when a selector names the one object: there is nothing to go on with. */
  single?: boolean
  matches(entry: Entry): boolean
  filter(entries: Entry[]): Entry[]
}

const EVERYTHING: Selection = { everything: true, matches: () => true, filter: (entries) => entries }

/**
 * Reads both selectors of a query. Throws 400 in the words of kube-apiserver: for their syntax before, and for unknown
 * fields after `refuse`, which throws for other options of the request.
 */
export function selectionOf(resource: Resource, query: URLSearchParams, refuse: () => void = () => {}): Selection {
  const labels = query.get('labelSelector') ?? ''
  const fields = query.get('fieldSelector') ?? ''
  const selects = labels !== '' || fields !== ''
  const label = selects ? labelTest(labels) : undefined
  const parsed = selects ? parseFieldSelector(fields) : undefined
  if (parsed?.ok === false) throw badRequest(parsed.error)
  refuse()
  if (!label || !parsed) return EVERYTHING
  // A requirement with neither a field nor a value matches every custom object.
  const asked = parsed.value.filter(({ field, value }) => !resource.custom || field !== '' || value !== '')
  if (labels === '' && asked.length === 0) return EVERYTHING
  const tests = [label, ...fieldTests(resource, asked)]
  const matches = (entry: Entry): boolean => tests.every((test) => test(entry.value))
  const single = asked.some(({ field, operator }) => field === 'metadata.name' && operator === '=')
  return { everything: false, single, matches, filter: (entries) => entries.filter(matches) }
}

type Test = (object: UnknownObject) => boolean

function labelTest(text: string): Test {
  const parsed = parseLabelSelector(text)
  if (!parsed.ok) throw badRequest(parsed.error)
  return (object) => matchesRequirements(parsed.value, object.metadata.labels)
}

function fieldTests(resource: Resource, requirements: readonly FieldRequirement[]): Test[] {
  return requirements.map(({ field, operator, value }) => {
    const read = fieldReader(resource, field)
    return (object) => (read(object) === value) === (operator === '=')
  })
}
