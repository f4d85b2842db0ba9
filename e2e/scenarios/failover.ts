/** A workload that leaves where it fails. */
import { primaryThenBackup } from './members'

export interface FailingWorkload {
  name: string
  purgeMode: 'Directly' | 'Gracefully' | 'Never'
  /** Also of the new copy, which must be healthy by then. Default 5. */
  tolerationSeconds?: number
}

/** Two replicas in member1, that go to member2 when they fail there for some seconds. */
export function failingOver({ name, purgeMode, tolerationSeconds = 5 }: FailingWorkload): string {
  const grace = purgeMode === 'Gracefully' ? ', gracePeriodSeconds: 60' : ''
  return `
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: { name: ${name}, namespace: default }
spec:
  propagateDeps: true
  resourceSelectors: [{ apiVersion: apps/v1, kind: Deployment, name: ${name} }]
  placement: ${primaryThenBackup}
  failover: { application: { decisionConditions: { tolerationSeconds: ${tolerationSeconds} }, purgeMode: ${purgeMode}${grace} } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: default, labels: { app: ${name} } }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: app, image: "nginx:1.27", resources: { requests: { cpu: 100m } } }] }
---`
}
