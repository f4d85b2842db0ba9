/** Expressions of users (CEL) as kube-apiserver evaluates them. */
export { type CelFailure, type CelProgram, type CelResult, compileCel } from './compile'
