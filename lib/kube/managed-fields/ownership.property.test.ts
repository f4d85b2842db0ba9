import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from '@/lib/std/equal'
import { KubeError } from '../errors'
import { applyFields, type Author, type FieldSet, LEAF, objectTypeOf, type Owners, ownUpdate } from './index'
import { difference, isEmpty, pathsOf, union } from './field-set'
import { fieldsOf } from './fields-of'
import { sortElements } from './path-element'
import { removeFields } from './remove'
import { widget } from './testing'

const type = objectTypeOf(widget)
const VERSION = 'ex.test/v1'
const reader = { typeIn: () => type, ignored: LEAF }
const RUNS = { seed: 20261121, numRuns: 200 }

const text = fc.constantFrom('1', '2', '3')
const name = fc.constantFrom('n1', 'n2', 'n3')
const items = fc.uniqueArray(fc.record({ name, v: text, w: text }, { requiredKeys: ['name'] }), {
  selector: (item) => item.name,
  minLength: 1,
  maxLength: 3,
})
const config = fc
  .record(
    {
      a: text,
      b: text,
      labels: fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 }),
      one: fc.dictionary(name, text, { minKeys: 1, maxKeys: 2 }),
      atoms: fc.array(text, { minLength: 1, maxLength: 3 }),
      set: fc.uniqueArray(text, { minLength: 1, maxLength: 3 }),
      items,
    },
    { requiredKeys: [] },
  )
  .map((spec) => ({ spec }))
const manager = fc.constantFrom('m1', 'm2', 'm3')
const step = fc.record({
  manager,
  config,
  operation: fc.constantFrom('Apply' as const, 'Update' as const),
  force: fc.boolean(),
})
const history = fc.array(step, { minLength: 1, maxLength: 8 })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface State {
  object: unknown
  owners: Owners
}

function author(
  { manager: who, operation }: Pick<Author, 'manager' | 'operation'>,
  now = '2026-01-01T00:00:00Z',
): Author {
  return { manager: who, operation, apiVersion: VERSION, now }
}

/** The state after a write; the same one when the write is refused. */
function write(state: State, one: Step): State {
  if (one.operation === 'Update') {
    const transition = { ...reader, live: state.object, next: one.config }
    return { object: one.config, owners: ownUpdate(state.owners, transition, author(one)) }
  }
  try {
    return apply(state, one)
  } catch (error) {
    if (error instanceof KubeError && error.code === 409) return state
    throw error
  }
}

function apply(state: State, one: Pick<Step, 'config' | 'force'> & { manager: string }, now?: string): State {
  const { next, owners } = applyFields({
    ...reader,
    live: state.object,
    config: one.config,
    owners: state.owners,
    force: one.force,
    author: author({ manager: one.manager, operation: 'Apply' }, now),
  })
  return { object: next, owners }
}

const NOTHING: State = { object: { spec: {} }, owners: [] }
const after = (steps: readonly Step[]): State => steps.reduce(write, NOTHING)
const owned = ({ owners }: State): FieldSet => owners.map(({ fieldsV1 }) => fieldsV1).reduce(union, LEAF)
const shownPaths = (set: FieldSet): string[] => pathsOf(set, sortElements).map((path) => path.join(' '))

/** The leaves of a set: fields with nothing below them. */
function leaves(set: FieldSet, path = ''): string[] {
  return Object.entries(set)
    .filter(([element]) => element !== '.')
    .flatMap(([element, below]) => (isEmpty(below) ? [`${path} ${element}`] : leaves(below, `${path} ${element}`)))
}

describe('whatever was written before', () => {
  it('applying the same twice changes nothing the second time, not even a time', () => {
    fc.assert(
      fc.property(history, manager, config, (steps, who, wanted) => {
        const once = apply(after(steps), { manager: who, config: wanted, force: true })
        const twice = apply(once, { manager: who, config: wanted, force: false }, '2026-01-01T01:00:00Z')
        expect(twice.object).toEqual(once.object)
        expect(twice.owners).toEqual(once.owners)
      }),
      RUNS,
    )
  })

  it('a forced apply sets all its values', () => {
    fc.assert(
      fc.property(history, manager, config, (steps, who, wanted) => {
        const { object } = apply(after(steps), { manager: who, config: wanted, force: true })
        expect(difference(fieldsOf(wanted, type), fieldsOf(object, type))).toEqual({})
        for (const [field, value] of Object.entries(wanted.spec)) {
          if (field === 'a' || field === 'b' || field === 'atoms' || field === 'one') {
            expect((object as { spec: Record<string, unknown> }).spec[field]).toEqual(value)
          }
        }
      }),
      RUNS,
    )
  })

  it('every leaf of the object has an owner, and no manager owns a leaf that the object lacks', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const state = after(steps)
        const present = fieldsOf(state.object, type)
        const all = new Set(leaves(owned(state)))
        expect(leaves(present).filter((leaf) => !all.has(leaf))).toEqual([])
        const known = new Set(shownPaths(present))
        const extra = leaves(owned(state))
          .map((leaf) => leaf.slice(1))
          .filter((leaf) => !known.has(leaf))
        expect(extra.filter((leaf) => leaf !== 'f:spec' && !/^f:spec f:\w+$/.test(leaf))).toEqual([])
      }),
      RUNS,
    )
  })

  it('an applier that applies the fields it owns changes nothing', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const state = after(steps)
        for (const { manager: who, operation, fieldsV1 } of state.owners) {
          if (operation !== 'Apply') continue
          const others = difference(fieldsOf(state.object, type), fieldsV1)
          const own = removeFields(state.object, withoutParents(others, fieldsV1), type)
          const again = apply(state, { manager: who, config: (own ?? {}) as Step['config'], force: false })
          expect(deepEqual(again.object, state.object)).toBe(true)
        }
      }),
      RUNS,
    )
  })

  it('an update leaves every changed field to its writer alone', () => {
    fc.assert(
      fc.property(history, manager, config, (steps, who, wanted) => {
        const before = after(steps)
        const state = write(before, { manager: who, config: wanted, operation: 'Update', force: false })
        for (const field of ['a', 'b'] as const) {
          const value = (before.object as Step['config']).spec[field]
          if (wanted.spec[field] === undefined || wanted.spec[field] === value) continue
          const owners = state.owners.filter(({ fieldsV1 }) => fieldsV1['f:spec']?.[`f:${field}`])
          expect(owners.map((entry) => [entry.manager, entry.operation])).toEqual([[who, 'Update']])
        }
      }),
      RUNS,
    )
  })
})

/** A set without the fields that lead to ones of another set. */
function withoutParents(set: FieldSet, other: FieldSet): FieldSet {
  const kept = Object.entries(set).flatMap(([element, below]): [string, FieldSet][] => {
    const beside = other[element]
    if (element === '.') return []
    if (beside === undefined) return [[element, below]]
    const rest = withoutParents(below, beside)
    return isEmpty(rest) ? [] : [[element, rest]]
  })
  return Object.fromEntries(kept)
}
