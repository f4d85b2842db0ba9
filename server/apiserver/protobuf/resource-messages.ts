/** The messages of schedules, traffic, budgets and limits. */
import type { Message } from './message'

export const resourceMessages: Readonly<Record<string, Message>> = {
  'batch/v1/CronJob': { 1: 'metadata ObjectMeta', 2: 'spec CronJobSpec', 3: 'status CronJobStatus' },
  CronJobSpec: {
    1: 'schedule s', 2: 'startingDeadlineSeconds i', 3: 'concurrencyPolicy s', 4: 'suspend b',
    5: 'jobTemplate JobTemplateSpec', 6: 'successfulJobsHistoryLimit i', 7: 'failedJobsHistoryLimit i', 8: 'timeZone s',
  },
  JobTemplateSpec: { 1: 'metadata ObjectMeta', 2: 'spec JobSpec' },
  CronJobStatus: { 1: 'active []ObjectReference', 4: 'lastScheduleTime t', 5: 'lastSuccessfulTime t' },
  'networking.k8s.io/v1/Ingress': { 1: 'metadata ObjectMeta', 2: 'spec IngressSpec', 3: 'status IngressStatus' },
  IngressSpec: {
    1: 'defaultBackend IngressBackend', 2: 'tls []IngressTLS', 3: 'rules []IngressRule', 4: 'ingressClassName s',
  },
  IngressTLS: { 1: 'hosts []s', 2: 'secretName s' },
  IngressRule: { 1: 'host s', 2: '= IngressRuleValue' },
  IngressRuleValue: { 1: 'http HTTPIngressRuleValue' },
  HTTPIngressRuleValue: { 1: 'paths []HTTPIngressPath' },
  HTTPIngressPath: { 1: 'path s', 2: 'backend IngressBackend', 3: 'pathType s' },
  IngressBackend: { 3: 'resource TypedLocalObjectReference', 4: 'service IngressServiceBackend' },
  IngressServiceBackend: { 1: 'name s', 2: 'port ServiceBackendPort' },
  ServiceBackendPort: { 1: 'name s', 2: 'number i' },
  TypedLocalObjectReference: { 1: 'apiGroup s', 2: 'kind s', 3: 'name s' },
  IngressStatus: { 1: 'loadBalancer LoadBalancerStatus' },
  'v1/ResourceQuota': { 1: 'metadata ObjectMeta', 2: 'spec ResourceQuotaSpec', 3: 'status ResourceQuotaStatus' },
  ResourceQuotaSpec: { 1: 'hard {}q', 2: 'scopes []s', 3: 'scopeSelector ScopeSelector' },
  ResourceQuotaStatus: { 1: 'hard {}q', 2: 'used {}q' },
  ScopeSelector: { 1: 'matchExpressions []ScopeRequirement' },
  ScopeRequirement: { 1: 'scopeName s', 2: 'operator s', 3: 'values []s' },
  'policy/v1/PodDisruptionBudget': {
    1: 'metadata ObjectMeta', 2: 'spec PodDisruptionBudgetSpec', 3: 'status PodDisruptionBudgetStatus',
  },
  PodDisruptionBudgetSpec: {
    1: 'minAvailable o', 2: 'selector LabelSelector', 3: 'maxUnavailable o', 4: 'unhealthyPodEvictionPolicy s',
  },
  PodDisruptionBudgetStatus: {
    1: 'observedGeneration i', 3: 'disruptionsAllowed i', 4: 'currentHealthy i', 5: 'desiredHealthy i',
    6: 'expectedPods i',
  },
  'scheduling.k8s.io/v1/PriorityClass': {
    1: 'metadata ObjectMeta', 2: 'value i', 3: 'globalDefault b', 4: 'description s', 5: 'preemptionPolicy s',
  },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    1: 'metadata ObjectMeta', 2: 'spec AutoscalerSpec', 3: 'status AutoscalerStatus',
  },
  'autoscaling/v1/HorizontalPodAutoscaler': {
    1: 'metadata ObjectMeta', 2: 'spec AutoscalerSpecV1', 3: 'status AutoscalerStatusV1',
  },
  AutoscalerSpecV1: {
    1: 'scaleTargetRef ScaleTarget', 2: 'minReplicas i', 3: 'maxReplicas i', 4: 'targetCPUUtilizationPercentage i',
  },
  AutoscalerStatusV1: { 3: 'currentReplicas i', 4: 'desiredReplicas i' },
  AutoscalerSpec: { 1: 'scaleTargetRef ScaleTarget', 2: 'minReplicas i', 3: 'maxReplicas i', 4: 'metrics []MetricSpec' },
  ScaleTarget: { 1: 'kind s', 2: 'name s', 3: 'apiVersion s' },
  MetricSpec: { 1: 'type s', 4: 'resource ResourceMetricSource' },
  ResourceMetricSource: { 1: 'name s', 2: 'target MetricTarget' },
  MetricTarget: { 1: 'type s', 2: 'value q', 3: 'averageValue q', 4: 'averageUtilization i' },
  AutoscalerStatus: { 3: 'currentReplicas i', 4: 'desiredReplicas i' },
}
