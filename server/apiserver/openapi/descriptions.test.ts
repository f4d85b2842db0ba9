import { expect, test } from 'vitest'
import { allKinds } from '@/lib/kube/kinds'
import type { StructuralSchema } from '@/lib/kube/schema'
import { describeField, describeKind } from './descriptions'

const OURS = /(karmada|evenkeel|kruise)\.io$/
/** Parts of pods, which belong to Kubernetes, are below these. */
const POD_PARTS = new Set(['template', 'volumeClaimTemplates'])

function undescribed(kind: string, schema: StructuralSchema, path: readonly string[] = []): string[] {
  const { properties = {}, items, additionalProperties } = schema
  const fields = Object.entries(properties).flatMap(([name, child]) => {
    const own = [...path, name]
    const missing = (child.description ?? describeField(kind, own)) ? [] : [[kind, ...own].join('.')]
    return POD_PARTS.has(name) ? missing : [...missing, ...undescribed(kind, child, own)]
  })
  const below = [items, typeof additionalProperties === 'object' ? additionalProperties : undefined]
  return [...fields, ...below.flatMap((child) => (child ? undescribed(kind, child, path) : []))]
}

test('every kind that is served has a description', () => {
  expect(allKinds.map(({ kind }) => kind).filter((kind) => describeKind(kind) === undefined)).toEqual([])
})

test.each(allKinds.filter(({ group }) => OURS.test(group)).map((kind) => [kind.kind, kind] as const))(
  'every field of %s has a description',
  (name, kind) => {
    expect(undescribed(name, kind.schema)).toEqual([])
  },
)
