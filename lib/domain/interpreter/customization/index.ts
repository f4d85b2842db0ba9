/** Kinds that people teach the pipeline by scripts: which script, and what its answers have to be. */
export {
  aggregateIn,
  componentsIn,
  dependenciesIn,
  healthIn,
  manifestIn,
  manifestOf,
  mergedDependencies,
  replicasIn,
  statusIn,
} from './answers'
export { type InterpreterScript, ScriptCatalog, type ScriptedOperation, scriptsOf } from './scripts'
