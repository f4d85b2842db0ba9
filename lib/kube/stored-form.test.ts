/** Every served version of every kind: reading and writing back loses nothing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allKinds } from './kinds'
import { otherVersions } from './kinds/other-versions'
import type { Kind } from './kind'
import { apiVersionOf } from './kind'
import type { UnknownObject } from './object'
import type { StructuralSchema } from './schema'
import { pruneUnknown } from './schema-prune'
import { carryingOn, keptFrom, shownIn } from './stored-form'

const SEED = 20261122

/** Values of a schema: what may be there is sometimes there. */
function valueOf(schema: StructuralSchema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]))
  if (schema.properties) return recordOf(schema, depth)
  if (schema.type === 'array' || schema.items) {
    return fc.array(valueOf(schema.items as StructuralSchema, depth + 1), { maxLength: 3 }).map(named)
  }
  if (schema.type === 'integer') return fc.integer({ min: 0, max: 9 })
  if (schema.type === 'number') return fc.integer({ min: 0, max: 9 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.format === 'date-time') return fc.constant('2026-01-01T00:00:00Z')
  if (schema['x-kubernetes-int-or-string']) return fc.constantFrom('1', '2')
  if (typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.constantFrom('a', 'b'), valueOf(schema.additionalProperties as StructuralSchema, depth + 1))
  }
  return schema.type === 'string' ? fc.constantFrom('x', 'y', 'z') : fc.constant({})
}

/** Elements of a list that is keyed by a name have names of their own. */
const named = (list: unknown[]): unknown[] =>
  list.map((element, index) => {
    if (typeof element !== 'object' || element === null) return `${String(element)}${index}`
    const key = ['name', 'clusterName', 'type'].find((field) => field in element)
    return key === undefined ? element : { ...element, [key]: `${key}-${index}` }
  })

function recordOf(schema: StructuralSchema, depth: number): fc.Arbitrary<object> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([name]) => depth > 0 || !['apiVersion', 'kind', 'metadata'].includes(name))
      .map(([name, of]) => [name, valueOf(of as StructuralSchema, depth + 1)]),
  )
  const required = depth === 0 ? Object.keys(fields) : ((schema.required ?? []) as string[])
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) as never[] })
}

function objectsOf(kind: Kind): fc.Arbitrary<UnknownObject> {
  return recordOf(kind.schema as StructuralSchema, 0).map((fields) => ({
    ...fields,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name: 'n',
      namespace: 'default',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  }))
}

const storageOf = ({ storedAs, plural }: Kind): Kind =>
  allKinds.find(
    (kind) => kind.plural === plural && kind.group === storedAs?.group && kind.version === storedAs.version,
  )! as unknown as Kind

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown
const cases = otherVersions.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind] as const)

describe.each(cases)('%s', (_, kind) => {
  test('loses nothing of what is kept when it is read and written back, also where its copy was put together anew', () => {
    fc.assert(
      fc.property(objectsOf(storageOf(kind)), (kept) => {
        const shown = shownIn(kind, kept)
        expect(json(keptFrom(kind, shown))).toEqual(json(kept))
        const sent = pruneUnknown(json(shown), kind.schema as StructuralSchema).value as UnknownObject
        const copy = carryingOn(sent, shown)
        expect(json(keptFrom(kind, copy))).toEqual(json(kept))
      }),
      { numRuns: 150, seed: SEED },
    )
  })

  test('a label that is written through it changes the label and nothing else', () => {
    fc.assert(
      fc.property(objectsOf(storageOf(kind)), (kept) => {
        const shown = shownIn(kind, kept)
        const labels = { team: 'shop' }
        const next = { ...shown, metadata: { ...shown.metadata, labels } }
        expect(json(keptFrom(kind, next))).toEqual(json({ ...kept, metadata: { ...kept.metadata, labels } }))
      }),
      { numRuns: 150, seed: SEED },
    )
  })
})

/** Bodies of built-in kinds are decoded by their types before they are converted. */
const custom = otherVersions.filter(({ origin }) => origin === 'crd')

test.each(custom.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind] as const))(
  'objects of any shape are converted without a fault, as those that are about to be refused: %s',
  (_name, kind) => {
    const parts = fc.record(
      { metadata: fc.constant({ name: 'a' }), spec: fc.jsonValue(), status: fc.jsonValue(), series: fc.jsonValue() },
      { requiredKeys: ['metadata'] },
    )
    const odd = fc.oneof(
      parts,
      fc.record({
        metadata: fc.constant({ name: 'a' }),
        spec: fc.dictionary(fc.constantFrom('resource', 'subsets', 'metrics', 'clusters'), fc.jsonValue()),
      }),
    )
    fc.assert(
      fc.property(odd, (object) => {
        const { read, write } = kind.storedAs!
        read({ ...object, apiVersion: 'x/v0', kind: kind.kind } as unknown as UnknownObject)
        write({ ...object, apiVersion: apiVersionOf(kind), kind: kind.kind } as unknown as UnknownObject)
      }),
      { seed: SEED, numRuns: 400 },
    )
  },
)
