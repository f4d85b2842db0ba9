/** Discovers the kinds of each member, once per group version that is needed. */
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { allKinds } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import type { KubeClient } from '@/server/kube/client'
import { discoverVersion } from '@/server/kube/discovery'

type MemberKind = Kind<UnknownObject>

interface KindName {
  apiVersion: string
  kind: string
}

/** Compiled into every server, so they need no discovery. */
const builtIn = new Map(
  (allKinds as readonly MemberKind[])
    .filter(({ origin }) => origin === 'builtin')
    .map((kind) => [`${apiVersionOf(kind)}/${kind.kind}`, kind]),
)

export class MemberKinds {
  readonly #found = new Map<string, Map<string, MemberKind>>()

  constructor(private readonly client: KubeClient) {}

  /** Returns undefined if the member does not serve the kind now; this is not cached. Rejects without a response. */
  async find(cluster: string, { apiVersion, kind }: KindName): Promise<MemberKind | undefined> {
    const name = `${apiVersion}/${kind}`
    return builtIn.get(name) ?? this.#found.get(cluster)?.get(name) ?? this.#ask(cluster, { apiVersion, kind })
  }

  /** Removes a member that left; another one of its name may serve other kinds. */
  forget(cluster: string): void {
    this.#found.delete(cluster)
  }

  async #ask(cluster: string, { apiVersion, kind }: KindName): Promise<MemberKind | undefined> {
    const known = this.#found.get(cluster) ?? new Map<string, MemberKind>()
    this.#found.set(cluster, known)
    for (const served of await discoverVersion(this.client.member(cluster), apiVersion)) {
      known.set(`${apiVersion}/${served.kind}`, served)
    }
    return known.get(`${apiVersion}/${kind}`)
  }
}
