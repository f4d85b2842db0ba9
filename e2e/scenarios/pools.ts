/** A CloneSet over two pools of nodes, spread by a WorkloadSpread, both taken along by one policy. */

export const CLONE_SET_ID = 'apps.kruise.io~v1alpha1/CloneSet/default/web'

/** In the flow style of YAML. */
interface PoolsOptions {
  strategy: string
  /** The lines before the node selector of each subset. */
  limits?: readonly [string, string]
  /** Default: all replicas in every cluster, whether they fit or not. */
  placement?: string
}

/** As many replicas in each of the clusters. */
export const equally = (...clusters: readonly string[]): string => {
  const weights = clusters.map((name) => `{ targetCluster: { clusterNames: [${name}] }, weight: 1 }`)
  return `{ replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { staticWeightList: [${weights.join(', ')}] } } }`
}

/** Pods of `web` belong into the pool `normal` first, then into `elastic`. */
export function pools({
  strategy,
  limits: [first, second] = ['', ''],
  placement = '{ clusterAffinity: {} }',
}: PoolsOptions): string {
  const subset = (pool: string, limit: string) =>
    `{ name: ${pool}, ${limit}requiredNodeSelector: { matchExpressions: [{ key: app.deploy/zone, operator: In, values: [${pool}] }] } }`
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: web, namespace: default }
spec:
  resourceSelectors:
    - { apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet, name: web }
    - { apiVersion: apps.kruise.io/v1beta1, kind: WorkloadSpread, name: pools }
  placement: ${placement}
---
apiVersion: apps.kruise.io/v1beta1
kind: WorkloadSpread
metadata: { name: pools, namespace: default }
spec:
  targetRef: { apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet, name: web }
  scheduleStrategy: ${strategy}
  subsets:
    - ${subset('normal', first)}
    - ${subset('elastic', second)}
---`
}

/** The workload: pods of `cpu` cores each. */
export function cloneSet({ replicas, cpu }: { replicas: number; cpu: number }): string {
  return `
apiVersion: apps.kruise.io/v1alpha1
kind: CloneSet
metadata: { name: web, namespace: default, labels: { app: web } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: "nginx:1.27", resources: { requests: { cpu: "${cpu}" } } }] }
---`
}
