/** Rules of Works: permanent ids, and manifests without fields of the control plane. */
import { kubeError } from '../errors'
import { type Manifest, pruneManifest, recordManagedKeys } from '../manifest'
import { work, type Work } from '../kinds'
import { WORK_ID_LABEL } from '../names'
import type { UnknownObject } from '../object'
import type { KindRules } from '../rules'
import { throughWebhook } from './webhook'

const WEBHOOK = 'work.karmada.io'

/** Rules of Work. */
export const workRules: KindRules = {
  mutate: (object, _old, context) => {
    refuseBrokenManifests(object)
    const seen = throughWebhook(object, work.schema, WEBHOOK) as unknown as Work
    const id = seen.metadata.labels?.[WORK_ID_LABEL] || context.uid()
    const manifests = seen.spec.workload?.manifests?.map((manifest) => completeManifest(manifest as Manifest, id))
    return {
      ...seen,
      metadata: { ...seen.metadata, labels: { ...seen.metadata.labels, [WORK_ID_LABEL]: id } },
      spec: { ...seen.spec, workload: { ...seen.spec.workload, ...(manifests && { manifests }) } },
    } as unknown as UnknownObject
  },
}

function completeManifest(manifest: Manifest, id: string): Manifest {
  const pruned = pruneManifest({ ...manifest, metadata: manifest.metadata ?? {} })
  const labels = { ...pruned.metadata.labels, [WORK_ID_LABEL]: id }
  return recordManagedKeys({ ...pruned, metadata: { ...pruned.metadata, labels } })
}

/** A manifest that is no object breaks the webhook itself, which answers 500. */
function refuseBrokenManifests(object: UnknownObject): void {
  const manifests = (object as unknown as Work).spec?.workload?.manifests
  const broken: unknown = Array.isArray(manifests)
    ? manifests.find((manifest) => typeof manifest !== 'object' || Array.isArray(manifest))
    : undefined
  if (broken === undefined) return
  const shown = Array.isArray(broken) ? 'array' : typeof broken
  const reason = `json: cannot unmarshal ${shown} into Go value of type map[string]interface {}`
  throw kubeError(500, '', `admission webhook "${WEBHOOK}" denied the request: ${reason}`)
}
