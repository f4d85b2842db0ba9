/** Decides how the manifest for a cluster differs from its template. See README.md. */
export { applyOverrides, type Overridden } from './apply'
export { describePolicy, OverrideError } from './override-error'
export { recordOverrides } from './record'
export {
  appliesTo,
  type ClusterOverrides,
  type OverridePolicyLike,
  overridesFor,
  type OverrideStep,
  selectOverridePolicies,
} from './select'
