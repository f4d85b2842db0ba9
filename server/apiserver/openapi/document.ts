/** OpenAPI documents in the shape that kubectl reads: schemas by reference, operations marked with their kind. */
import { objectMeta } from '@/lib/kube/object-meta'
import type { StructuralSchema } from '@/lib/kube/schema'
import type { Resource } from '../registry/resource'
import { operationsOf } from './operations'

export interface GroupVersion {
  group: string
  version: string
}

type Definitions = Record<string, object>

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'

/** The OpenAPI v3 document of one group and version. */
export function documentOf(resources: readonly Resource[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: Object.assign(
      {}, ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v3')),
    ) as object,
    components: { schemas: definitionsOf(resources, '#/components/schemas/') },
  }
}

/** The OpenAPI v2 document of everything. */
export function swaggerOf(resources: readonly Resource[]): object {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: Object.assign(
      {}, ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v2')),
    ) as object,
    definitions: definitionsOf(resources, '#/definitions/'),
  }
}

function definitionsOf(resources: readonly Resource[], root: string): Definitions {
  const definitions: Definitions = {
    [META]: { type: 'object', properties: propertiesOf(objectMeta) },
    [LIST_META]: {
      type: 'object',
      properties: {
        continue: { type: 'string' },
        remainingItemCount: { type: 'integer', format: 'int64' },
        resourceVersion: { type: 'string' },
      },
    },
  }
  for (const resource of resources) Object.assign(definitions, definitionsOfKind(resource, root))
  return definitions
}

function definitionsOfKind(resource: Resource, root: string): Definitions {
  const { kind } = resource
  const name = definitionName(resource)
  const identity = { group: kind.group, version: kind.version }
  const common = { apiVersion: { type: 'string' }, kind: { type: 'string' } }
  const reference = (to: string): object => ({ allOf: [{ $ref: root + to }], default: {} })
  return {
    [name]: {
      ...plain(kind.schema),
      properties: { ...propertiesOf(kind.schema), ...common, metadata: reference(META) },
      'x-kubernetes-group-version-kind': [{ ...identity, kind: kind.kind }],
    },
    [`${name}List`]: {
      type: 'object',
      required: ['items'],
      properties: { ...common, metadata: reference(LIST_META), items: { type: 'array', items: reference(name) } },
      'x-kubernetes-group-version-kind': [{ ...identity, kind: kind.listKind }],
    },
  }
}

function propertiesOf(schema: StructuralSchema): Record<string, object> {
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, child]) => [name, plain(child)]))
}

/** A schema as a document carries it. Client-side validation knows no alternatives of types: such a field takes any. */
function plain(schema: StructuralSchema): object {
  const { properties, items, additionalProperties, anyOf: _anyOf, ...rest } = schema
  return {
    ...rest,
    ...(schema['x-kubernetes-int-or-string'] && { type: 'string', format: 'int-or-string' }),
    ...(properties && { properties: propertiesOf(schema) }),
    ...(items && { items: plain(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: plain(additionalProperties) }),
  }
}

/** `io.k8s.api.apps.v1.Deployment`, `io.karmada.policy.v1alpha1.PropagationPolicy`: what clients look up. */
export function definitionName({ kind }: Resource): string {
  if (kind.origin === 'builtin') return `io.k8s.api.${kind.group.split('.')[0] || 'core'}.${kind.version}.${kind.kind}`
  return `${kind.group.split('.').reverse().join('.')}.${kind.version}.${kind.kind}`
}
