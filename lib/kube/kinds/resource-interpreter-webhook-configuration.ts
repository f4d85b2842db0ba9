import { defineKind, type ObjectOf } from '../kind'
import { array, int32, object, string } from '../schema'

const texts = array(string())

/** Interprets kinds by calling a webhook. */
export const resourceInterpreterWebhookConfiguration = defineKind({
  group: 'config.karmada.io',
  version: 'v1alpha1',
  kind: 'ResourceInterpreterWebhookConfiguration',
  plural: 'resourceinterpreterwebhookconfigurations',
  categories: ['karmada-io'],
  scope: 'Cluster',
  origin: 'crd',
  fields: object(
    {
      webhooks: array(
        object(
          {
            clientConfig: object({
              caBundle: string({ format: 'byte' }),
              service: object(
                { name: string(), namespace: string(), path: string(), port: int32() },
                { required: ['name', 'namespace'] },
              ),
              url: string(),
            }),
            interpreterContextVersions: texts,
            name: string(),
            rules: array(
              object(
                { apiGroups: texts, apiVersions: texts, kinds: texts, operations: texts },
                { required: ['apiGroups', 'apiVersions', 'kinds', 'operations'] },
              ),
            ),
            timeoutSeconds: int32(),
          },
          { required: ['clientConfig', 'interpreterContextVersions', 'name'] },
        ),
      ),
    },
    { required: ['webhooks'] },
  ),
})

export type ResourceInterpreterWebhookConfiguration = ObjectOf<typeof resourceInterpreterWebhookConfiguration>
