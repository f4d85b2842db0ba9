/** Names of the types of built-in kinds, which `kubectl explain` shows. */
import { isQuantity } from '@/lib/kube/schema-canonical'
import type { StructuralSchema } from '@/lib/kube/schema'
import { ownField } from '@/lib/std/fields'
import { type MessageType, messageNamed } from '../protobuf/table'

const PACKAGES: Readonly<Record<string, string>> = {
  'meta.k8s.io': 'io.k8s.apimachinery.pkg.apis.meta',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
}

const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'

/** Types of values with no fields, which are the same everywhere. */
export const scalarTypes: ReadonlyMap<string, object> = new Map([
  [INT_OR_STRING, { oneOf: [{ type: 'integer' }, { type: 'string' }], format: 'int-or-string' }],
  [QUANTITY, { oneOf: [{ type: 'string' }, { type: 'number' }] }],
])

/** The name under which the schema of a value is published; undefined for one that has none. */
export function typeNameOf(schema: StructuralSchema, message: MessageType | undefined): string | undefined {
  if (schema['x-kubernetes-int-or-string']) return isQuantity(schema) ? QUANTITY : INT_OR_STRING
  if (!message || schema.type !== 'object' || !schema.properties) return undefined
  const parts = message.name.split('/')
  const [type = '', version = '', group = ''] = parts.toReversed()
  const owner = ownField(PACKAGES, group) ?? `io.k8s.api.${group.split('.')[0] || 'core'}`
  return `${owner}.${version}.${type}`
}

/** Reports whether a type has a field, also by an embedded type. */
export function hasField(message: MessageType, field: string): boolean {
  return message.fields.some(({ name, type }) => {
    const inside = name === '=' ? messageNamed(type) : undefined
    return name === field || (inside !== undefined && hasField(inside, field))
  })
}

/** The type of a field, also of one that an embedded type has. */
export function messageOfField(message: MessageType | undefined, name: string): MessageType | undefined {
  for (const field of message?.fields ?? []) {
    if (field.name === name) return messageNamed(field.type)
    if (field.name !== '=') continue
    const inside = messageOfField(messageNamed(field.type), name)
    if (inside) return inside
  }
  return undefined
}
