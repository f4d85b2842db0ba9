/** OpenAPI documents in the shape that kubectl reads: schemas by reference, operations marked with their kind. */
import { objectMeta } from '@/lib/kube/object-meta'
import type { Resource } from '../registry/resource'
import { describeField, describeKind } from './descriptions'
import { operationsOf } from './operations'
import { messageNamed, messageOf } from '../protobuf/table'
import { type Definitions, type Publication, publish, publishFields, reference } from './publish'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'

/** The OpenAPI v3 document of one group and version. */
export function documentOf(resources: readonly Resource[]): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: Object.assign(
      {},
      ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v3')),
    ) as object,
    components: { schemas: definitionsOf(resources, '#/components/schemas/', new Map()) },
  }
}

/** The OpenAPI v3 document of a path that answers with JSON of no kind. */
export function plainDocument(path: string): object {
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } } }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: { [`/${path}`]: { get: { responses } } },
  }
}

/** Returns the OpenAPI v2 document of all resources. */
export function swaggerOf(resources: readonly Resource[]): object {
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.36.0' },
    paths: Object.assign(
      {},
      ...resources.map((resource) => operationsOf(resource, definitionName(resource), 'v2')),
    ) as object,
    definitions: definitionsOf(resources, '#/definitions/'),
  }
}

function definitionsOf(resources: readonly Resource[], root: string, named?: Publication['named']): Definitions {
  const definitions: Definitions = {}
  const publication: Publication = { root, definitions, kind: '', ...(named && { named }) }
  definitions[META] = {
    type: 'object',
    properties: publishFields(objectMeta.properties ?? {}, publication, {
      path: ['metadata'],
      message: messageNamed('meta.k8s.io/v1/ObjectMeta'),
    }),
  }
  if (named) divideOwners(definitions, root)
  definitions[LIST_META] = {
    type: 'object',
    properties: {
      continue: { type: 'string' },
      remainingItemCount: { type: 'integer', format: 'int64' },
      resourceVersion: { type: 'string' },
    },
  }
  named?.set(META, objectMeta)
  for (const resource of resources) addKind(resource, publication)
  return definitions
}

const ENTRY = 'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry'
const FIELDS = 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1'

/** Who owns which fields is the server's own, and no schema divides it. */
function divideOwners(definitions: Definitions, root: string): void {
  const { properties } = definitions[META] as { properties: Record<string, object> }
  properties.managedFields = { ...properties.managedFields, items: { $ref: root + ENTRY } }
  const text = { type: 'string' }
  const fieldsV1 = { allOf: [{ $ref: root + FIELDS }] }
  const time = { ...text, format: 'date-time' }
  const texts = { apiVersion: text, fieldsType: text, manager: text, operation: text, subresource: text }
  definitions[ENTRY] = { type: 'object', properties: { ...texts, fieldsV1, time } }
  definitions[FIELDS] = { type: 'object' }
}

function addKind(resource: Resource, of: Publication): void {
  const { kind } = resource
  const { definitions } = of
  const name = definitionName(resource)
  const publication = { ...of, kind: kind.kind }
  const message = kind.origin === 'builtin' ? messageOf(resource.apiVersion, kind.kind) : undefined
  const identity = { group: kind.group, version: kind.version }
  const metadata = { description: describeField(kind.kind, ['metadata']), ...reference(publication, META) }
  const common = {
    apiVersion: { type: 'string', description: describeField(kind.kind, ['apiVersion']) },
    kind: { type: 'string', description: describeField(kind.kind, ['kind']) },
  }
  const description = kind.schema.description ?? describeKind(kind.kind)
  const { metadata: _, ...fields } = kind.schema.properties ?? {}
  definitions[name] = {
    ...publish({ ...kind.schema, properties: {} }, publication),
    ...(description !== undefined && { description }),
    properties: { ...publishFields(fields, publication, { path: [], message }), ...common, metadata },
    'x-kubernetes-group-version-kind': [{ ...identity, kind: kind.kind }],
  }
  if (kind.transient) return
  definitions[`${name}List`] = {
    type: 'object',
    required: ['items'],
    properties: {
      ...common,
      metadata: reference(publication, LIST_META),
      items: { type: 'array', items: reference(publication, name) },
    },
    'x-kubernetes-group-version-kind': [{ ...identity, kind: kind.listKind }],
  }
}

/** `io.k8s.api.apps.v1.Deployment`, `io.karmada.policy.v1alpha1.PropagationPolicy`: what clients look up. */
export function definitionName({ kind }: Resource): string {
  if (kind.group === 'apiextensions.k8s.io') {
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${kind.version}.${kind.kind}`
  }
  if (kind.origin === 'builtin') return `io.k8s.api.${kind.group.split('.')[0] || 'core'}.${kind.version}.${kind.kind}`
  return `${kind.group.split('.').reverse().join('.')}.${kind.version}.${kind.kind}`
}
