/** Writes manifests of users into a control plane. */
import type { Manifest } from '@/lib/domain/rehearsal/scenario'
import { message } from '@/lib/messages/message'
import { isNotFound } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { Draft, KubeObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'
import { BadInput } from './bad-input'

/** Throws BadInput for a kind that the embedded control plane does not serve. */
export function kindOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): Kind {
  const found = (allKinds as readonly Kind[]).find(
    (candidate) => candidate.kind === kind && apiVersionOf(candidate) === apiVersion,
  )
  if (!found) throw new BadInput([message('rehearsal.input.unservedKind', { apiVersion, kind })])
  return found
}

/** Creates the object, or merges its fields into the one that is there. */
export async function applyManifest(client: KubeClient, manifest: Manifest): Promise<void> {
  const kind = kindOf(manifest)
  const exists = await client.get(kind, manifest.metadata).then(
    () => true,
    (error: unknown) => {
      if (!isNotFound(error)) throw error
      return false
    },
  )
  if (exists) await client.patch(kind, manifest.metadata, { type: 'merge', value: manifest })
  else await client.create(kind, manifest as unknown as Draft<KubeObject>)
}
