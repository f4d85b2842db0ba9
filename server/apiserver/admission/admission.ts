/**
 * Admission webhooks: selects the webhooks of a write by the configurations in its keyspace. A write without a matching
 * rule costs one map lookup.
 */
import type { CelProgram } from '@/lib/kube/cel'
import { compileMatchCondition } from '@/lib/kube/admission-webhooks/match-conditions'
import { matchesRules, type WriteTarget } from '@/lib/kube/admission-webhooks/match-rules'
import { resourceName } from '@/lib/kube/kind'
import { type AdmissionWebhook, mutatingWebhookConfiguration, validatingWebhookConfiguration } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { err } from '@/lib/std/result'
import type { Keyspace } from '../registry/keyspace'
import type { Resource } from '../registry/resource'
import { createConnection } from './connection'
import { type WriteAdmission, WebhookAdmission } from './webhook-admission'
import type { Chain, Invocation, Place, Review, AdmissionDependencies, Webhook } from './webhook'

export interface Admission {
  /** Calls the webhooks of a write; undefined if none matches. */
  admissionFor(place: Place, review: Review): WriteAdmission | undefined
  close(): void
}

const MUTATING = resourceName(mutatingWebhookConfiguration)
const VALIDATING = resourceName(validatingWebhookConfiguration)

/** No webhook is called for these: a broken webhook could not be deleted otherwise. */
const EXEMPT = new Set([
  MUTATING,
  VALIDATING,
  ...[
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ].map((plural) => `${plural}.${mutatingWebhookConfiguration.group}`),
])

/** Follows the configurations in the store. */
export function createAdmission(dependencies: AdmissionDependencies): Admission {
  const keyspaces = new Map<string, KeyspaceWebhooks>()
  const webhooksOf = (keyspace: string): KeyspaceWebhooks => {
    const known = keyspaces.get(keyspace)
    if (known) return known
    const webhooks = new KeyspaceWebhooks(dependencies, keyspace)
    keyspaces.set(keyspace, webhooks)
    return webhooks
  }
  const forget = (keyspace: string): void => {
    keyspaces.get(keyspace)?.close()
    keyspaces.delete(keyspace)
  }
  const unsubscribe = dependencies.store.subscribe((events) => {
    for (const {
      entry: { location },
    } of events) {
      if (location.resource === MUTATING || location.resource === VALIDATING) forget(location.keyspace)
    }
  })
  return {
    admissionFor: (place, review) => {
      const webhooks = webhooksOf(place.keyspace.name)
      if (webhooks.empty || EXEMPT.has(place.resource.id)) return undefined
      const chain = webhooks.chainFor(place, review)
      return chain && new WebhookAdmission({ dependencies, place, review }, chain)
    },
    close: () => {
      unsubscribe()
      for (const keyspace of keyspaces.keys()) forget(keyspace)
    },
  }
}

/** The webhooks of one keyspace, as they were configured at one moment. */
class KeyspaceWebhooks {
  readonly #mutating: readonly Webhook[]
  readonly #validating: readonly Webhook[]
  readonly #chains = new Map<string, Chain | undefined>()

  constructor(dependencies: AdmissionDependencies, keyspace: string) {
    const read = (resource: string): Webhook[] =>
      dependencies.store
        .list({ keyspace, resource })
        .flatMap(({ value }) => webhooksIn(value))
        .map((definition) => ({
          definition,
          conditions: conditionsOf(definition),
          connection: createConnection(dependencies, keyspace, definition),
        }))
    this.#mutating = read(MUTATING)
    this.#validating = read(VALIDATING)
  }

  get empty(): boolean {
    return this.#mutating.length === 0 && this.#validating.length === 0
  }

  /** Undefined if no rule matches such a write. Matching is computed once for each kind of write. */
  chainFor({ keyspace, resource }: Place, { operation, subresource = '' }: Review): Chain | undefined {
    const key = `${keyspace.registry.edition} ${resource.apiVersion} ${resource.kind.plural}/${subresource} ${operation}`
    if (this.#chains.has(key)) return this.#chains.get(key)
    const select = (webhooks: readonly Webhook[]): Invocation[] =>
      webhooks.flatMap((webhook) => {
        const found = invokedAs(webhook, versionsOf(keyspace, resource), { operation, subresource })
        return found ? [{ webhook, resource: found }] : []
      })
    const chain = { mutating: select(this.#mutating), validating: select(this.#validating) }
    const chosen = chain.mutating.length + chain.validating.length > 0 ? chain : undefined
    this.#chains.set(key, chosen)
    return chosen
  }

  close(): void {
    for (const { connection } of [...this.#mutating, ...this.#validating]) connection.close()
  }
}

function webhooksIn(configuration: UnknownObject): AdmissionWebhook[] {
  return (configuration.webhooks ?? []) as AdmissionWebhook[]
}

/**
 * Compiles match conditions. They were validated with the configuration; a condition that no longer compiles never
 * matches.
 */
function conditionsOf({ matchConditions = [] }: AdmissionWebhook): CelProgram[] {
  return matchConditions.map(({ expression }) => {
    const program = compileMatchCondition(expression)
    if (program.ok) return program.value
    const failure = err({ message: `compilation failed: ${program.error}`, exhausted: false })
    return { expression, run: () => failure }
  })
}

/** The resource of the write first, then the other versions under which the same objects are served. */
function versionsOf({ registry }: Keyspace, resource: Resource): Resource[] {
  return [resource, ...registry.resources.filter((other) => other.id === resource.id && other !== resource)]
}

/** The version in which a webhook is called for a write; undefined when its rules are about other writes. */
function invokedAs(
  { definition: { rules = [], matchPolicy } }: Webhook,
  [resource, ...equivalents]: readonly Resource[],
  write: Pick<WriteTarget, 'operation' | 'subresource'>,
): Resource | undefined {
  const names = (candidate: Resource, list = rules): boolean => matchesRules(list, targetOf(candidate, write))
  if (!resource || names(resource)) return resource
  if (matchPolicy !== 'Equivalent') return undefined
  for (const rule of rules) {
    const found = equivalents.find((candidate) => names(candidate, [rule]))
    if (found) return found
  }
  return undefined
}

function targetOf({ kind }: Resource, write: Pick<WriteTarget, 'operation' | 'subresource'>): WriteTarget {
  const { group, version, plural, scope } = kind
  return { group, version, resource: plural, namespaced: scope === 'Namespaced', ...write }
}
