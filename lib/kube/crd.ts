/** A kind as the CustomResourceDefinition that would define it. */
import type { Kind } from './kind'
import { resourceName } from './kind'
import type { StructuralSchema } from './schema'

/** `apiextensions.k8s.io/v1` CustomResourceDefinition, as far as the project writes it. */
export interface CustomResourceDefinition {
  apiVersion: 'apiextensions.k8s.io/v1'
  kind: 'CustomResourceDefinition'
  metadata: { name: string }
  spec: {
    group: string
    scope: Kind['scope']
    names: {
      kind: string
      listKind: string
      plural: string
      singular: string
      shortNames?: string[]
      categories?: string[]
    }
    versions: CustomResourceVersion[]
  }
}

/** One version of a CustomResourceDefinition. */
export interface CustomResourceVersion {
  name: string
  served: boolean
  storage: boolean
  subresources?: { status?: object; scale?: Kind['subresources']['scale'] }
  additionalPrinterColumns?: Kind['printerColumns'][number][]
  schema: { openAPIV3Schema: StructuralSchema }
}

/** The CustomResourceDefinition of a kind. Metadata is left to the API server, as the real definitions do. */
export function toCustomResourceDefinition(kind: Kind): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: resourceName(kind) },
    spec: { group: kind.group, scope: kind.scope, names: namesOf(kind), versions: [versionOf(kind)] },
  }
}

function namesOf(kind: Kind): CustomResourceDefinition['spec']['names'] {
  const { kind: name, listKind, plural, singular, shortNames, categories } = kind
  return {
    kind: name,
    listKind,
    plural,
    singular,
    ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
    ...(categories.length > 0 && { categories: [...categories] }),
  }
}

function versionOf(kind: Kind): CustomResourceVersion {
  const { status, scale } = kind.subresources
  return {
    name: kind.version,
    served: true,
    storage: true,
    ...((status || scale) && { subresources: { ...(status && { status: {} }), ...(scale && { scale }) } }),
    ...(kind.printerColumns.length > 0 && { additionalPrinterColumns: [...kind.printerColumns] }),
    schema: { openAPIV3Schema: publishedSchema(kind) },
  }
}

function publishedSchema(kind: Kind): StructuralSchema {
  return { ...kind.schema, properties: { ...kind.schema.properties, metadata: { type: 'object' } } }
}
