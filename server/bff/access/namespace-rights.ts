/** What the API server said of one user, namespace by namespace. */
import type { EpochMs } from '@/lib/std/clock'
import { nameOfResource, REVIEWED } from './resources'
import type { Grants } from './scope'

interface Known {
  /** Names of resources that may be listed. */
  names: readonly string[]
  /** When it was asked about last. */
  at: EpochMs
  /** Since when the API server does not answer about it. */
  failingSince?: EpochMs
}

/** Of all other resources an answer about one namespace tells nothing. */
const NAMED = new Set(REVIEWED.filter(({ byNamespace }) => byNamespace).map(nameOfResource))

/** Answers may come in any order: only that to the latest question about a namespace counts. */
export class NamespaceRights {
  readonly #known = new Map<string, Known>()
  readonly #turns = new Map<string, number>()

  /** Notes that a question is asked; the result tells later whether its answer counts. */
  ask(namespace: string): () => boolean {
    const turn = (this.#turns.get(namespace) ?? 0) + 1
    this.#turns.set(namespace, turn)
    return () => this.#turns.get(namespace) === turn
  }

  /** Takes an answer that counts. */
  note(namespace: string, names: readonly string[], at: EpochMs): 'more' | 'less' | 'same' {
    const before = this.#known.get(namespace)?.names ?? []
    const seen = names.filter((name) => NAMED.has(name))
    this.#known.set(namespace, { names: seen, at })
    if (before.some((name) => !seen.includes(name))) return 'less'
    return seen.length > before.length ? 'more' : 'same'
  }

  /** No answer came. What was said before counts for a while; where nothing was, nothing is granted. */
  fail(namespace: string, at: EpochMs): void {
    const { names = [], failingSince = at } = this.#known.get(namespace) ?? {}
    this.#known.set(namespace, { names, at, failingSince })
  }

  /** Nothing that was said of it counts any more, nor an answer that is under way. True when something was granted. */
  forget(namespace: string): boolean {
    this.ask(namespace)
    const granted = this.isGranted(namespace)
    this.#known.delete(namespace)
    return granted
  }

  /** Takes back what was granted where no answer came since then. True when that was something. */
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

  /** Namespaces in which something is granted. */
  granted(): string[] {
    return [...this.#known.keys()].filter((namespace) => this.isGranted(namespace))
  }

  /** Namespaces about which the last question found no answer. */
  owed(): string[] {
    return [...this.#known].filter(([, { failingSince }]) => failingSince !== undefined).map(([namespace]) => namespace)
  }

  /** Those that were asked about longest ago; what never was comes first. */
  oldest(namespaces: readonly string[], count: number): string[] {
    const at = (namespace: string): EpochMs => this.#known.get(namespace)?.at ?? 0
    return namespaces.toSorted((a, b) => at(a) - at(b)).slice(0, count)
  }

  /** Together with what may be listed everywhere. */
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

/** True when everything that is shown by namespace may be listed in all of them. */
export const needsNoNamespaces = (everywhere: ReadonlySet<string>): boolean =>
  [...NAMED].every((name) => everywhere.has(name))
