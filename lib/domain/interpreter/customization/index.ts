/** Kinds customized by Lua scripts: finds the script and validates its result. */
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
