/** Labels of EndpointSlices. */
export const SERVICE_NAME = 'kubernetes.io/service-name'
export const SLICE_MANAGED_BY = 'endpointslice.kubernetes.io/managed-by'
