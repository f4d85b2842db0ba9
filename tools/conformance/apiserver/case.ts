import type { Api, Target } from './api'

/** One promise of an API server. */
export interface Case {
  name: string
  /** Without it the case is skipped. */
  needs?: keyof Target['has']
  run(api: Api): Promise<void>
}

/** Cases about one thing. */
export interface Topic {
  topic: string
  cases: readonly Case[]
}

export const ofCore = (namespace: string, plural: string): string => `/api/v1/namespaces/${namespace}/${plural}`
export const configMaps = ({ namespace }: Api): string => ofCore(namespace, 'configmaps')
export const deployments = ({ namespace }: Api): string => `/apis/apps/v1/namespaces/${namespace}/deployments`

export function configMap(name: string, metadata: object = {}, data: object = { k: 'v' }): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

/** Without replicas, so that nothing runs where a controller acts on it. */
export function deployment(name: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'w' } },
      template: { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
    },
  }
}
