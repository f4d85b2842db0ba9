/** What tests about rights have in common. */
import type { Answered, TestServer } from '../../testing/start-server'

export const RBAC = '/apis/rbac.authorization.k8s.io/v1'

export const role = (name: string): object => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name })
export const clusterRole = (name: string): object => ({ ...role(name), kind: 'ClusterRole' })
export const user = (name: string): object => ({ kind: 'User', name })
export const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`

let count = 0
/** A namespace of its own for every test. */
export async function freshNamespace(server: TestServer): Promise<string> {
  const name = `n${++count}`
  await server.send('POST', '/api/v1/namespaces', { metadata: { name } })
  return name
}

export type As = (method: string, path: string, body?: unknown) => Promise<Answered>

/** Sends as another user. */
export function as(server: TestServer, name: string, more: Record<string, string> = {}): As {
  return (method, path, body) => server.send(method, path, body, { 'Impersonate-User': name, ...more })
}
