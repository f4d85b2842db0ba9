import { defineKind, type ObjectOf } from '../kind'
import { object, oneOf } from '../schema'
import { REQUIRED_WEBHOOK_FIELDS, webhookFields } from './admission-webhook'
import { keyedList } from './lists'

/** Services that may change objects before they are stored. */
export const mutatingWebhookConfiguration = defineKind({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  categories: ['api-extensions'],
  scope: 'Cluster',
  origin: 'builtin',
  fields: object({
    webhooks: keyedList(
      object(
        { ...webhookFields, reinvocationPolicy: oneOf(['IfNeeded', 'Never']) },
        { required: REQUIRED_WEBHOOK_FIELDS },
      ),
      'name',
    ),
  }),
})

export type MutatingWebhookConfiguration = ObjectOf<typeof mutatingWebhookConfiguration>
