/** Makes dependencies follow a template: their bindings are attached to the binding of the template. */
export {
  type AttachSnapshot,
  attachBinding,
  dependedByLabel,
  detachBinding,
  unneededBindings,
} from './attached-binding'
export { dependencyKeyOf, recordDependencies, recordedDependencies } from './recorded'
export { mergeReferrers, type MergedPolicy } from './merge-referrers'
