import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { toCustomResourceDefinition } from '../crd'
import { type Kind, resourceName } from '../kind'
import type { StructuralSchema } from '../schema'
import { allKinds, cluster } from './index'

interface RealKind {
  group: string
  scope: string
  names: object
  versions: { name: string; subresources?: object; additionalPrinterColumns?: object[]; schema: StructuralSchema }[]
}

const real = JSON.parse(readFileSync(new URL('../testdata/crds.json', import.meta.url), 'utf8')) as Record<
  string,
  RealKind
>
const ours = (name: string): Kind => allKinds.find((kind) => resourceName(kind) === name)!
const customKinds = Object.keys(real).filter((name) => name !== resourceName(cluster))

/** The schema as it travels: fields that are undefined are gone. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema)) as unknown
}

/** What failover needs and the real kinds do not have yet, by the field that has it. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  spec: ['activeEvictionHistory', 'healthInterpretation'],
  application: ['blockPredecessorSeconds', 'preConditions'],
  decisionConditions: ['healthyState'],
  aggregatedStatus: ['creationTimestamp', 'settled'],
}

const PROPOSED_MODES = new Set(['Immediately', 'Graciously'])

/** The schema without alternatives of required fields, and the requirements of the real kind. */
function withoutAlternatives({ anyOf, ...schema }: StructuralSchema): StructuralSchema {
  if (!anyOf?.[0]?.required) return anyOf ? { ...schema, anyOf } : schema
  return { ...schema, required: [...anyOf[0].required, ...(schema.required ?? [])] }
}

/** The schema as it would be without what we added. */
function withoutAdded(schema: StructuralSchema, added: typeof ADDED, name = ''): StructuralSchema {
  const { properties, items } = schema
  const kept = Object.entries(properties ?? {}).filter(([field]) => !added[name]?.includes(field))
  return {
    ...withoutAlternatives(schema),
    ...(name === 'purgeMode' && { enum: schema.enum?.filter((mode) => !PROPOSED_MODES.has(String(mode))) }),
    ...(properties && {
      properties: Object.fromEntries(kept.map(([field, child]) => [field, withoutAdded(child, added, field)])),
    }),
    ...(items && { items: withoutAdded(items, added, name) }),
  }
}

describe('our kinds are the real ones, field for field', () => {
  it.each(customKinds)('%s', (name) => {
    const { spec } = toCustomResourceDefinition(ours(name))
    const {
      group,
      scope,
      names,
      versions: [version],
    } = real[name]!
    expect({ group: spec.group, scope: spec.scope, names: spec.names }).toEqual({ group, scope, names })
    const [own] = spec.versions
    expect(own?.name).toBe(version?.name)
    expect(own?.subresources ?? {}).toEqual(version?.subresources ?? {})
    expect(own?.additionalPrinterColumns ?? []).toEqual(version?.additionalPrinterColumns ?? [])
    const added = name.includes('propagationpolicies') ? { ...ADDED, suspension: ['scheduling'] } : ADDED
    expect(plain(own && withoutAdded(own.schema.openAPIV3Schema, added))).toEqual(version?.schema)
  })

  it('the aggregated Cluster', () => {
    const version = real[resourceName(cluster)]!.versions[0]!
    const published = toCustomResourceDefinition(cluster).spec.versions[0]!.schema.openAPIV3Schema
    expect(fieldPaths(published)).toEqual(fieldPaths(version.schema))
  })
})

/** Every field with its type, `*` when required: what an aggregated API publishes says no more. */
function fieldPaths(schema: StructuralSchema, path = ''): string[] {
  const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const required = schema.required?.includes(name) ? '*' : ''
    const leaf = (child.items?.properties ?? child.properties) ? '' : ` ${child.type ?? 'any'}`
    return [`${path}.${name}${required}${leaf}`, ...fieldPaths(child, `${path}.${name}`)]
  })
  const nested = schema.items ? fieldPaths(schema.items, `${path}[]`) : []
  return [...children, ...nested].toSorted()
}

describe('every kind', () => {
  it('has its own name', () => {
    const names = allKinds.map(resourceName)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(allKinds.map((kind) => [kind.kind, kind] as const))('%s requires only fields that it has', (_, kind) => {
    expect(undeclared(kind.schema)).toEqual([])
  })
})

function undeclared(schema: StructuralSchema): string[] {
  const missing = (schema.required ?? []).filter((name) => !schema.properties?.[name])
  const values = typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
  const children = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : []), ...values]
  // A schema with a name of its own contains itself.
  return [...missing, ...children.filter(({ definition }) => !definition).flatMap(undeclared)]
}
