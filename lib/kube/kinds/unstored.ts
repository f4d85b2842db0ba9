/** Kinds that a server answers without keeping objects of them. */
import { defineKind, type Kind } from '../kind'
import { object } from '../schema'
import { metricsKinds } from './metrics'
import { objectReference } from './object-reference'
import { workloadConditions } from './workload-status'

const binding = defineKind({
  group: '',
  version: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  scope: 'Namespaced',
  origin: 'builtin',
  transient: true,
  fields: object({ target: objectReference }, { required: ['target'] }),
})

const componentStatus = defineKind({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  shortNames: ['cs'],
  scope: 'Cluster',
  origin: 'builtin',
  readOnly: true,
  deprecation: 'v1 ComponentStatus is deprecated in v1.19+',
  fields: object({ conditions: workloadConditions }),
})

/**
 * A binding is carried out when it is created, components of a control plane have no state here, and usage is computed
 * when it is read.
 */
export const unstoredKinds: readonly Kind[] = [binding, componentStatus, ...metricsKinds]
