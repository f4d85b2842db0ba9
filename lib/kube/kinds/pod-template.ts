/** The template from which a workload makes its pods. */
import { objectMeta } from '../object-meta'
import { type Infer, int32, object } from '../schema'
import { labelSelector } from './affinity'
import { podSpec } from './pod-spec'

/** `v1.PodTemplateSpec`. */
export const podTemplate = object({ metadata: objectMeta, spec: podSpec }, { required: ['spec'] })

/** Common fields of workloads: selector and template. */
export const podMakerFields = { minReadySeconds: int32(), selector: labelSelector, template: podTemplate }

/** The columns of a scale subresource on `spec.replicas`. */
export const replicaScale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }

export type PodTemplate = Infer<typeof podTemplate>
