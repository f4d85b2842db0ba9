/** Clusters as some vectors shorten them. */
import type { Cluster } from '@/lib/kube/kinds/cluster'

export interface FlatCluster {
  name: string
  labels?: Record<string, string>
  provider?: string
  region?: string
  zones?: string[]
}

const stored = { resourceVersion: '1', creationTimestamp: '2000-01-01T00:00:00Z' }

/** The Cluster for such a line. It serves Deployments and has neither taints nor capacity. */
export function clusterFrom({ name, labels, provider, region, zones }: FlatCluster): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: { ...stored, name, uid: name, ...(labels && { labels }) },
    spec: { syncMode: 'Push', ...(provider && { provider }), ...(region && { region }), ...(zones && { zones }) },
    status: { apiEnablements: [{ groupVersion: 'apps/v1', resources: [{ kind: 'Deployment', name: 'deployments' }] }] },
  }
}
