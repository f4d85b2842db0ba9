/** What the API server reported about one user, namespace by namespace. */
import type { EpochMs } from '@/lib/std/clock'
import { nameOfResource, REVIEWED } from './resources'
import type { Grants } from './scope'

interface NamespaceReview {
  /** Names of resources that may be listed. */
  names: readonly string[]
  /** When it was last reviewed. */
  at: EpochMs
  /** Since when the API server gives no answer about it. */
  failingSince?: EpochMs
}

/** An answer about one namespace covers only these resources. */
const NAMED = new Set(REVIEWED.filter(({ byNamespace }) => byNamespace).map(nameOfResource))

/**
 * Keeps the rights by namespace. Answers may arrive in any order: only the answer to the latest question about a
 * namespace counts.
 */
export class NamespaceRights {
  readonly #known = new Map<string, NamespaceReview>()
  readonly #generations = new Map<string, number>()

  /** Notes that a question is sent. The returned function reports whether its answer still counts. */
  ask(namespace: string): () => boolean {
    const generation = (this.#generations.get(namespace) ?? 0) + 1
    this.#generations.set(namespace, generation)
    return () => this.#generations.get(namespace) === generation
  }

  /** Stores an answer that counts. */
  note(namespace: string, names: readonly string[], at: EpochMs): 'more' | 'less' | 'same' {
    const before = this.#known.get(namespace)?.names ?? []
    const seen = names.filter((name) => NAMED.has(name))
    this.#known.set(namespace, { names: seen, at })
    if (before.some((name) => !seen.includes(name))) return 'less'
    return seen.length > before.length ? 'more' : 'same'
  }

  /** Notes a failed question. The previous answer counts for a while; without one nothing is granted. */
  fail(namespace: string, at: EpochMs): void {
    const { names = [], failingSince = at } = this.#known.get(namespace) ?? {}
    this.#known.set(namespace, { names, at, failingSince })
  }

  /** Discards all answers about the namespace, including a pending one. Returns true when something was granted. */
  forget(namespace: string): boolean {
    this.ask(namespace)
    const granted = this.isGranted(namespace)
    this.#known.delete(namespace)
    return granted
  }

  /** Revokes the grants of namespaces without an answer since that time. Returns true when something was revoked. */
  dropFailingSince(at: EpochMs): boolean {
    const old = this.granted().filter((namespace) => (this.#known.get(namespace)?.failingSince ?? Infinity) <= at)
    for (const namespace of old) this.#known.set(namespace, { ...this.#known.get(namespace)!, names: [] })
    return old.length > 0
  }

  clear(): void {
    for (const namespace of this.#known.keys()) this.forget(namespace)
  }

  has(namespace: string): boolean {
    return this.#known.has(namespace)
  }

  isGranted(namespace: string): boolean {
    return (this.#known.get(namespace)?.names.length ?? 0) > 0
  }

  /** Returns the namespaces in which something is granted. */
  granted(): string[] {
    return [...this.#known.keys()].filter((namespace) => this.isGranted(namespace))
  }

  /** Returns the namespaces whose last question failed. */
  owed(): string[] {
    return [...this.#known].filter(([, { failingSince }]) => failingSince !== undefined).map(([namespace]) => namespace)
  }

  /** Returns the namespaces with the oldest reviews; namespaces without a review come first. */
  oldest(namespaces: readonly string[], count: number): string[] {
    const at = (namespace: string): EpochMs => this.#known.get(namespace)?.at ?? 0
    return namespaces.toSorted((a, b) => at(a) - at(b)).slice(0, count)
  }

  /** Returns the grants by namespace together with those that apply everywhere. */
  grants(everywhere: ReadonlySet<string>): Grants {
    const grants = new Map<string, 'all' | Set<string>>([...everywhere].map((name) => [name, 'all']))
    for (const [namespace, { names }] of this.#known) {
      for (const name of names) {
        const granted = grants.get(name)
        if (granted === 'all') continue
        if (granted) granted.add(namespace)
        else grants.set(name, new Set([namespace]))
      }
    }
    return grants
  }
}

/** Reports whether every kind that is shown by namespace may be listed in all namespaces. */
export const needsNoNamespaces = (everywhere: ReadonlySet<string>): boolean =>
  [...NAMED].every((name) => everywhere.has(name))
