import { defineKind, type ObjectOf } from '../kind'
import { object } from '../schema'
import { REQUIRED_WEBHOOK_FIELDS, webhookFields } from './admission-webhook'
import { keyedList } from './lists'

/** Services that may refuse a write. */
export const validatingWebhookConfiguration = defineKind({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  categories: ['api-extensions'],
  scope: 'Cluster',
  origin: 'builtin',
  fields: object({ webhooks: keyedList(object(webhookFields, { required: REQUIRED_WEBHOOK_FIELDS }), 'name') }),
})

export type ValidatingWebhookConfiguration = ObjectOf<typeof validatingWebhookConfiguration>
