/** Finds the script of a customization for a kind and an operation. */
import type { ResourceInterpreterCustomization } from '../../../kube/kinds/resource-interpreter-customization'
import type { UnknownObject } from '../../../kube/object'

/**
 * Operations that scripts can implement, with the field that contains the script and the function that it must define.
 */
export const SCRIPTED = {
  health: { field: 'healthInterpretation', entry: 'InterpretHealth' },
  replicas: { field: 'replicaResource', entry: 'GetReplicas' },
  components: { field: 'componentResource', entry: 'GetComponents' },
  revise: { field: 'replicaRevision', entry: 'ReviseReplica' },
  reflect: { field: 'statusReflection', entry: 'ReflectStatus' },
  aggregate: { field: 'statusAggregation', entry: 'AggregateStatus' },
  retain: { field: 'retention', entry: 'Retain' },
  dependencies: { field: 'dependencyInterpretation', entry: 'GetDependencies' },
} as const

export type ScriptedOperation = keyof typeof SCRIPTED

/** One script. */
export interface InterpreterScript {
  /** Name of the customization that contains the script. */
  customization: string
  operation: ScriptedOperation
  /** The function to call. */
  entry: string
  source: string
}

/** Returns all scripts of a customization. */
export function scriptsOf({
  metadata: { name },
  spec: { customizations, healthInterpretation },
}: ResourceInterpreterCustomization): InterpreterScript[] {
  const given = { ...(healthInterpretation && { healthInterpretation }), ...customizations }
  return (Object.keys(SCRIPTED) as ScriptedOperation[]).flatMap((operation) => {
    const { field, entry } = SCRIPTED[operation]
    const source = given[field]?.luaScript
    return source ? [{ customization: name, operation, entry, source }] : []
  })
}

/**
 * Finds scripts by kind. If several customizations define the same operation, the first by name wins; for dependencies,
 * all apply.
 */
export class ScriptCatalog {
  readonly #byKind = new Map<string, InterpreterScript[]>()

  constructor(customizations: readonly ResourceInterpreterCustomization[]) {
    const sorted = customizations.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
    for (const customization of sorted) {
      for (const script of scriptsOf(customization)) {
        const key = keyOf(customization.spec.target, script.operation)
        this.#byKind.set(key, [...(this.#byKind.get(key) ?? []), script])
      }
    }
  }

  find(
    object: Pick<UnknownObject, 'apiVersion' | 'kind'>,
    operation: ScriptedOperation,
  ): InterpreterScript | undefined {
    return this.findAll(object, operation)[0]
  }

  findAll(object: Pick<UnknownObject, 'apiVersion' | 'kind'>, operation: ScriptedOperation): InterpreterScript[] {
    return this.#byKind.size === 0 ? [] : (this.#byKind.get(keyOf(object, operation)) ?? [])
  }
}

function keyOf({ apiVersion, kind }: Pick<UnknownObject, 'apiVersion' | 'kind'>, operation: ScriptedOperation): string {
  return `${apiVersion}/${kind}/${operation}`
}
