/** Kinds customized by interpreter webhooks: finds the webhook, builds its request and reads its response. */
export { contextOf, hookAnswers, type HookQuestion, patchedBy, responseIn } from './context'
export { concernsKind, HookCatalog, hooksOf, type InterpreterHook } from './hooks'
