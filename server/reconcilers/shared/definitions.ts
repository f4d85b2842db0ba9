/** Installs the product's CustomResourceDefinitions on a control plane that is not the embedded one. */
import { type CustomResourceDefinition, toCustomResourceDefinition } from '@/lib/kube/crd'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { StructuralSchema } from '@/lib/kube/schema'
import type { KubeClient } from '@/server/kube/client'

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/**
 * `forbidden`: a user with permission must create the definition; the controller waits until it is served. `outdated`: one
 * must update it; until then the API server drops the fields that it does not know.
 */
export type DefinitionOutcome = 'present' | 'installed' | 'updated' | 'outdated' | 'forbidden'

const WORST_FIRST: readonly DefinitionOutcome[] = ['forbidden', 'outdated', 'installed', 'updated']

/**
 * Creates missing CustomResourceDefinitions of these kinds, and adds missing fields to those of an earlier version. Throws
 * on any other failure of the server.
 */
export async function ensureDefinitions(client: KubeClient, kinds: readonly Kind[]): Promise<DefinitionOutcome> {
  const outcomes = await Promise.all(kinds.map((kind) => ensureDefinition(client, kind)))
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'present'
}

async function ensureDefinition(client: KubeClient, kind: Kind): Promise<DefinitionOutcome> {
  const definition = toCustomResourceDefinition(kind)
  const found = await client.raw('GET', `${PATH}/${definition.metadata.name}`)
  if (found.status === 200) return update(client, found.body as CustomResourceDefinition, definition)
  if (await isServed(client, kind)) return 'present'
  if (found.status === 403) return 'forbidden'
  const created = await client.raw('POST', PATH, definition)
  if (created.status === 201) return 'installed'
  if (created.status === 409) return 'present'
  if (created.status === 403) return 'forbidden'
  throw new Error(`the definition of ${kind.kind} was refused: ${created.status} ${JSON.stringify(created.body)}`)
}

/** Only fields are added, so instances of two versions do not undo each other's change. */
async function update(
  client: KubeClient,
  present: CustomResourceDefinition,
  { metadata: { name }, spec }: CustomResourceDefinition,
): Promise<DefinitionOutcome> {
  const [own] = spec.versions
  const old = present.spec.versions.find((version) => version.name === own?.name)
  if (!own || !old || !lacksFields(old.schema.openAPIV3Schema, own.schema.openAPIV3Schema)) return 'present'
  const versions = present.spec.versions.map((version) => (version === old ? { ...old, schema: own.schema } : version))
  const { status, body } = await client.raw('PUT', `${PATH}/${name}`, {
    ...present,
    spec: { ...present.spec, versions },
  })
  if (status === 200) return 'updated'
  if (status === 403) return 'outdated'
  if (status === 409) return 'present'
  throw new Error(`the update of the definition ${name} was refused: ${status} ${JSON.stringify(body)}`)
}

function lacksFields(present: StructuralSchema | undefined, own: StructuralSchema): boolean {
  if (present === undefined) return true
  const fields = Object.entries(own.properties ?? {})
  if (fields.some(([name, schema]) => lacksFields(present.properties?.[name], schema))) return true
  return own.items !== undefined && lacksFields(present.items, own.items)
}

async function isServed(client: KubeClient, kind: Kind): Promise<boolean> {
  const { status, body } = await client.raw('GET', `/apis/${apiVersionOf(kind)}`)
  const { resources = [] } = body as { resources?: { name: string }[] }
  return status === 200 && resources.some(({ name }) => name === kind.plural)
}
