/** Decisions about Services that several clusters share. */
export {
  claimService,
  consumersOf,
  isCrossCluster,
  planSlices,
  providersOf,
  releaseService,
  serviceBinding,
  type SlicePlan,
} from './cross-cluster'
export { collectedFrom, collectedSlice, derivedService, isBrought } from './exported'
export { SERVICE_NAME } from './labels'
