/** Selects the interpreter webhook for a kind and an operation. */
import type { ResourceInterpreterWebhookConfiguration } from '../../../kube/kinds/resource-interpreter-webhook-configuration'
import type { UnknownObject } from '../../../kube/object'
import type { ScriptedOperation } from '../customization'

/** Names of the operations in rules and requests. */
export const HOOK_OPERATIONS: Readonly<Record<ScriptedOperation, string>> = {
  health: 'InterpretHealth',
  replicas: 'InterpretReplica',
  components: 'InterpretComponent',
  revise: 'ReviseReplica',
  reflect: 'InterpretStatus',
  aggregate: 'AggregateStatus',
  retain: 'Retain',
  dependencies: 'InterpretDependency',
}

type Webhook = ResourceInterpreterWebhookConfiguration['webhooks'][number]
type Named = Pick<UnknownObject, 'apiVersion' | 'kind'>

/** One webhook. */
export interface InterpreterHook {
  /** `<configuration>/<webhook>`; hooks are sorted by it. */
  id: string
  webhook: Webhook
}

/** Returns the webhooks of a configuration. */
export function hooksOf({ metadata, webhooks }: ResourceInterpreterWebhookConfiguration): InterpreterHook[] {
  return webhooks.map((webhook) => ({ id: `${metadata.name}/${webhook.name}`, webhook }))
}

/** Reports whether the webhook has a rule for the kind, and for the operation if one is given. */
export function concernsKind({ webhook }: InterpreterHook, object: Named, operation?: ScriptedOperation): boolean {
  const { apiVersion, kind } = object
  const slash = apiVersion.indexOf('/')
  const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)]
  return (webhook.rules ?? []).some(
    ({ apiGroups, apiVersions, kinds, operations }) =>
      (operation === undefined || lists(operations, HOOK_OPERATIONS[operation]))
      && lists(apiGroups, group)
      && lists(apiVersions, version)
      && lists(kinds, kind),
  )
}

const lists = (items: readonly string[], item: string): boolean => items.includes('*') || items.includes(item)

/** Finds webhooks by kind. If several match, the first by name is called. */
export class HookCatalog {
  readonly #hooks: readonly InterpreterHook[]
  readonly #found = new Map<string, InterpreterHook | undefined>()

  constructor(configurations: readonly ResourceInterpreterWebhookConfiguration[]) {
    this.#hooks = configurations.flatMap(hooksOf).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  }

  find(object: Named, operation: ScriptedOperation): InterpreterHook | undefined {
    if (this.#hooks.length === 0) return undefined
    const key = `${operation} ${object.apiVersion} ${object.kind}`
    if (!this.#found.has(key)) {
      this.#found.set(
        key,
        this.#hooks.find((hook) => concernsKind(hook, object, operation)),
      )
    }
    return this.#found.get(key)
  }
}
