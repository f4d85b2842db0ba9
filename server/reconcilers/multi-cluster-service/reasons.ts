/** Conditions and events of a MultiClusterService, in Karmada's words. */
import type { NewCondition } from '@/lib/kube/conditions'

export interface Reason {
  component: string
  type: 'Normal' | 'Warning'
  reason: string
  message: string
  condition?: NewCondition
}

const SERVICES = 'multiclusterservice-controller'
const SLICES = 'endpointslice-dispatch-controller'

// upstream: pkg/controllers/multiclusterservice
const APPLIED = 'Service is propagated to target clusters.'
export const serviceApplied: Reason = {
  component: SERVICES,
  type: 'Normal',
  reason: 'SyncServiceSucceed',
  message: APPLIED,
  condition: { type: 'ServiceApplied', status: 'True', reason: 'ServiceAppliedSucceed', message: APPLIED },
}

export const serviceFailed = (message: string): Reason => ({
  component: SERVICES,
  type: 'Warning',
  reason: 'SyncServiceFailed',
  message,
  condition: { type: 'ServiceApplied', status: 'False', reason: 'ServiceAppliedFailed', message },
})

// upstream: pkg/controllers/multiclusterservice
const DISPATCHED = 'EndpointSlice are dispatched successfully'
export const dispatched: Reason = {
  component: SLICES,
  type: 'Normal',
  reason: 'DispatchEndpointSliceSucceed',
  message: DISPATCHED,
  condition: {
    type: 'EndpointSliceDispatched',
    status: 'True',
    reason: 'EndpointSliceDispatchedSucceed',
    message: DISPATCHED,
  },
}

export const clusterNotFound = (name: string): Reason => ({
  component: SERVICES,
  type: 'Warning',
  reason: 'ClusterNotFound',
  // upstream
  message: `Provider cluster ${name} is not found`,
})
