/** The template from which a workload makes its pods. */
import { type Infer, object } from '../schema'
import { objectMeta } from '../object-meta'
import { podSpec } from './pod-spec'

/** `v1.PodTemplateSpec`. */
export const podTemplate = object({
  metadata: objectMeta,
  spec: podSpec,
}, { required: ['spec'] })

export type PodTemplate = Infer<typeof podTemplate>
