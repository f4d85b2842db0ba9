/** Probes members, and reads their version and API resources. */
import type { ApiResourceList } from '@/lib/domain/cluster'
import { isUnreachable } from '@/lib/kube/errors'
import type { Clock } from '@/lib/std/clock'
import type { KubeClient } from '@/server/kube/client'

/** Returns the HTTP status of the member's health endpoint; undefined if it did not respond in time. */
export async function probeHealth(member: KubeClient, clock: Clock, timeoutMs: number): Promise<number | undefined> {
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort())
  try {
    const answer = await member.raw('GET', '/readyz', undefined, late.signal)
    return answer.status === 404 ? (await member.raw('GET', '/healthz', undefined, late.signal)).status : answer.status
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  } finally {
    cancel()
  }
}

/** Version and API resources of a member. */
export interface Discovery {
  kubernetesVersion: string | undefined
  lists: ApiResourceList[]
  /** False if a part of discovery failed. */
  complete: boolean
}

/** Reads version and all group versions. Rejects only if the member stops responding. */
export async function discover(member: KubeClient): Promise<Discovery> {
  const [version, core, groups] = await Promise.all([
    read<{ gitVersion: string }>(member, '/version'),
    read<CoreVersions>(member, '/api'),
    read<Groups>(member, '/apis'),
  ])
  const paths = [
    ...(core?.versions ?? []).map((name) => `/api/${name}`),
    ...(groups?.groups ?? []).flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`)),
  ]
  const lists = await Promise.all(paths.map((path) => read<ApiResourceList>(member, path)))
  return {
    kubernetesVersion: version?.gitVersion,
    lists: lists.filter((list) => list !== undefined),
    complete: core !== undefined && groups !== undefined && !lists.includes(undefined),
  }
}

interface CoreVersions {
  versions: string[]
}

interface Groups {
  groups: { versions: { groupVersion: string }[] }[]
}

async function read<T>(member: KubeClient, path: string): Promise<T | undefined> {
  const { status, body } = await member.raw('GET', path)
  return status === 200 ? (body as T) : undefined
}
