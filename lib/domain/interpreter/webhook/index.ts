/** Kinds that people teach the pipeline by webhooks: which one, how it is asked, and what its answers have to be. */
export { contextOf, hookAnswers, type HookQuestion, patchedBy, responseIn } from './context'
export { concernsKind, HookCatalog, hooksOf, type InterpreterHook } from './hooks'
