/** Common parts of mutating and validating webhook configurations. */
import { type Infer, int32, object, oneOf, string } from '../schema'
import { labelSelector } from './affinity'
import { atomicList, atomicStrings, keyedList } from './lists'

/** Address of a webhook: a URL, or a Service of the cluster. */
export const webhookClientConfig = object({
  caBundle: string({ format: 'byte' }),
  service: object(
    { name: string(), namespace: string(), path: string(), port: int32() },
    { required: ['name', 'namespace'] },
  ),
  url: string(),
})

/** Selects the writes that are sent to a webhook. */
export const ruleWithOperations = object({
  apiGroups: atomicStrings(),
  apiVersions: atomicStrings(),
  operations: atomicList(oneOf(['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'])),
  resources: atomicStrings(),
  scope: oneOf(['*', 'Cluster', 'Namespaced']),
})

const matchCondition = object({ expression: string(), name: string() }, { required: ['expression', 'name'] })

/** The fields of a webhook of either sort. */
export const webhookFields = {
  admissionReviewVersions: atomicStrings(),
  clientConfig: webhookClientConfig,
  failurePolicy: oneOf(['Fail', 'Ignore']),
  matchConditions: keyedList(matchCondition, 'name'),
  matchPolicy: oneOf(['Equivalent', 'Exact']),
  name: string(),
  namespaceSelector: labelSelector,
  objectSelector: labelSelector,
  rules: atomicList(ruleWithOperations),
  sideEffects: oneOf(['None', 'NoneOnDryRun']),
  timeoutSeconds: int32(),
}

export const REQUIRED_WEBHOOK_FIELDS = ['admissionReviewVersions', 'clientConfig', 'name', 'sideEffects'] as const

const webhook = object(webhookFields, { required: REQUIRED_WEBHOOK_FIELDS })

export type AdmissionWebhook = Infer<typeof webhook> & { reinvocationPolicy?: 'IfNeeded' | 'Never' }
export type WebhookClientConfig = Infer<typeof webhookClientConfig>
export type RuleWithOperations = Infer<typeof ruleWithOperations>
