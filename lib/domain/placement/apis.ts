/** The kinds that clusters serve. */
import type { Cluster } from '@/lib/kube/kinds/cluster'
import { shareLatest } from '@/lib/std/share-latest'

type Enablements = NonNullable<NonNullable<Cluster['status']>['apiEnablements']>

/** Returns `groupVersion kind` of every resource. Clusters that serve the same resources share one set. */
export const apisOf = shareLatest(readApis, isSame)

function readApis(enablements: Enablements): ReadonlySet<string> {
  return new Set(
    enablements.flatMap(({ groupVersion, resources = [] }) => resources.map(({ kind }) => apiName(groupVersion, kind))),
  )
}

function isSame(a: Enablements, b: Enablements): boolean {
  return a.length === b.length && a.every((one, index) => isSameGroup(one, b[index]!))
}

function isSameGroup(a: Enablements[number], b: Enablements[number]): boolean {
  const [kinds, others] = [a.resources ?? [], b.resources ?? []]
  return (
    a.groupVersion === b.groupVersion
    && kinds.length === others.length
    && kinds.every(({ kind }, index) => kind === others[index]!.kind)
  )
}

/** Returns the name of a kind in the result of `apisOf`. */
export function apiName(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`
}
