/** Argo Workflows. */
import { fieldsIn, listIn } from '../json-fields'
import type { RulesByKind } from '../kind-key'
import { podNeeds } from '../needs'
import { replicasOf } from './pod-templates'
import { blockIn, revisedSpec, requiredBlock, type ThirdPartyRule, withSpecField } from './rule'

const UNHEALTHY: ReadonlySet<unknown> = new Set([undefined, '', 'Error', 'Failed'])

/** Replicas are the parallel steps. Their resource requests are in the templates of the steps only. */
const workflow: ThirdPartyRule = {
  replicas: (object) => {
    const { parallelism = 1, affinity, nodeSelector, tolerations } = requiredBlock(object, 'spec')
    return replicasOf(parallelism, { affinity, nodeSelector, tolerations })
  },
  revise: (manifest, replicas) => revisedSpec(manifest, 'parallelism', replicas),
  isHealthy: (object) => !UNHEALTHY.has(fieldsIn(object.status).phase),
  // The controller in the member stores its progress in the status, which is not a subresource.
  retain: (manifest, observed) => {
    const { suspend } = requiredBlock(observed, 'spec')
    const kept = suspend === undefined ? manifest : withSpecField(manifest, 'suspend', suspend)
    return observed.status === undefined ? kept : { ...kept, status: observed.status }
  },
  needs: (object) => {
    const spec = requiredBlock(object, 'spec')
    const { volumes, imagePullSecrets, serviceAccountName } = spec
    const needs = podNeeds({ volumes, imagePullSecrets, serviceAccountName })
    const own = listIn(spec.volumeClaimTemplates).map(({ metadata }) => fieldsIn(metadata).name)
    return {
      ...needs,
      ServiceAccount: [...needs.ServiceAccount, blockIn(spec, 'executor').serviceAccountName],
      PersistentVolumeClaim: [...needs.PersistentVolumeClaim, ...own],
    }
  },
}

export const argoRules: RulesByKind<ThirdPartyRule> = { 'argoproj.io/v1alpha1/Workflow': workflow }
