/** Manifests of simulated members and of workloads on them. */

export interface MemberOptions {
  nodes?: number
  cpu?: number
}

/** A simulated member cluster of `nodes` nodes with `cpu` cores each. */
export function member(name: string, { nodes = 3, cpu = 12 }: MemberOptions = {}): string {
  return `
apiVersion: cluster.karmada.io/v1alpha1
kind: Cluster
metadata:
  name: ${name}
  annotations:
    sim.evenkeel.io/nodes: "${nodes}"
    sim.evenkeel.io/node-cpu: "${cpu}"
    sim.evenkeel.io/node-memory: 64Gi
    sim.evenkeel.io/ready-after: 500ms
spec: { syncMode: Push }
---`
}

/** A Deployment whose pods request `cpu`, with a PropagationPolicy of the same name. `placement` is YAML flow style. */
export function workload(options: { name: string; replicas: number; cpu?: string; placement: string }): string {
  const { name, replicas, cpu = '100m', placement } = options
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${name} }]
  placement: ${placement}
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: app, image: "nginx:1.27", resources: { requests: { cpu: ${cpu} } } }] }
---`
}

export const dynamicWeight =
  '{ replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: { dynamicWeight: AvailableReplicas } } }'
export const aggregated =
  '{ replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated } }'
export const primaryThenBackup =
  '{ clusterAffinities: [{ affinityName: primary, clusterNames: [member1] }, { affinityName: backup, clusterNames: [member2] }], replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated } }'
