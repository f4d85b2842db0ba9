/** Queues, and workloads that wait in them. */

interface QueuedOptions {
  namespace: string
  name: string
  cpu?: string
}

/** A Deployment of one pod with a policy of its own. */
export function queued({ namespace, name, cpu = '1' }: QueuedOptions): string {
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${name} }]
  placement: { clusterAffinity: {}, replicaScheduling: { replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: app, image: "nginx:1.27", resources: { requests: { cpu: "${cpu}" } } }] }
---`
}

export function queue(namespace: string, name: string, spec: string): string {
  return `
apiVersion: evenkeel.io/v1alpha1
kind: Queue
metadata: { name: ${name}, namespace: ${namespace} }
spec: ${spec}
---`
}
