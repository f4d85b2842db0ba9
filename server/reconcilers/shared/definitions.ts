/** Installs the product's CustomResourceDefinitions on a control plane that is not the embedded one. */
import { toCustomResourceDefinition } from '@/lib/kube/crd'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import type { KubeClient } from '@/server/kube/client'

const PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** `forbidden`: a user with permission must create the definition; the controller waits until it is served. */
export type DefinitionOutcome = 'present' | 'installed' | 'forbidden'

/** Creates missing CustomResourceDefinitions of these kinds. Throws on any other failure of the server. */
export async function ensureDefinitions(client: KubeClient, kinds: readonly Kind[]): Promise<DefinitionOutcome> {
  const outcomes = await Promise.all(kinds.map((kind) => ensureDefinition(client, kind)))
  return (
    outcomes.find((outcome) => outcome === 'forbidden')
    ?? outcomes.find((outcome) => outcome === 'installed')
    ?? 'present'
  )
}

async function ensureDefinition(client: KubeClient, kind: Kind): Promise<DefinitionOutcome> {
  if (await isServed(client, kind)) return 'present'
  const definition = toCustomResourceDefinition(kind)
  const found = await client.raw('GET', `${PATH}/${definition.metadata.name}`)
  if (found.status === 200) return 'present'
  if (found.status === 403) return 'forbidden'
  const created = await client.raw('POST', PATH, definition)
  if (created.status === 201) return 'installed'
  if (created.status === 409) return 'present'
  if (created.status === 403) return 'forbidden'
  throw new Error(`the definition of ${kind.kind} was refused: ${created.status} ${JSON.stringify(created.body)}`)
}

async function isServed(client: KubeClient, kind: Kind): Promise<boolean> {
  const { status, body } = await client.raw('GET', `/apis/${apiVersionOf(kind)}`)
  const { resources = [] } = body as { resources?: { name: string }[] }
  return status === 200 && resources.some(({ name }) => name === kind.plural)
}
