/**
 * Registers the webhooks in the member's API: for WorkloadSpreads always, for pods only in namespaces with a spread, so
 * that other pods are not affected.
 */
import { isConflict, isNotFound } from '@/lib/kube/errors'
import type { Kind } from '@/lib/kube/kind'
import {
  mutatingWebhookConfiguration,
  validatingWebhookConfiguration,
  type AdmissionWebhook,
  type RuleWithOperations,
} from '@/lib/kube/kinds'
import type { KubeObject } from '@/lib/kube/object'
import { deepEqual } from '@/lib/std/equal'
import type { KubeClient } from '@/server/kube/client'
import type { KnownSpreads } from './known-spreads'
import type { WebhookServer } from './webhook-server'

/** The names of the paths that the server answers. */
export const PODS = 'pods'
export const SPREADS = 'spreads'

const POD_CONFIGURATION = 'spread.evenkeel.io'
const SPREAD_CONFIGURATION = 'spread.evenkeel.io'
const NAMESPACE_NAME = 'kubernetes.io/metadata.name'

export interface ConfigurationParts {
  client: KubeClient
  spreads: KnownSpreads
  server: WebhookServer
}

export class Configurations {
  #last: Promise<void> = Promise.resolve()

  constructor(private readonly parts: ConfigurationParts) {}

  /** Updates both configurations; calls are serialised. */
  ensure(): Promise<void> {
    const turn = this.#last.then(() => this.#write())
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #write(): Promise<void> {
    const { client, spreads, server } = this.parts
    await server.ready
    await keep(client, validatingWebhookConfiguration, {
      name: SPREAD_CONFIGURATION,
      webhook: spreadWebhook(server.urlOf(SPREADS)),
    })
    const namespaces = [...spreads.namespaces()].toSorted()
    const webhook = namespaces.length > 0 ? podWebhook(server.urlOf(PODS), namespaces) : undefined
    await keep(client, mutatingWebhookConfiguration, { name: POD_CONFIGURATION, webhook })
  }
}

type Configuration = KubeObject & { webhooks?: AdmissionWebhook[] }

/** Creates, updates or deletes a configuration of one webhook. After a conflict it is read again. */
async function keep(
  client: KubeClient,
  of: Kind<Configuration>,
  wanted: { name: string; webhook: AdmissionWebhook | undefined },
): Promise<void> {
  const present = await read(client, of, wanted.name)
  const webhooks = wanted.webhook ? [wanted.webhook] : []
  try {
    if (!present) {
      if (webhooks.length > 0) await client.create(of, { ...draftOf(of), metadata: { name: wanted.name }, webhooks })
    } else if (webhooks.length === 0) await client.delete(of, { name: wanted.name })
    else if (!says(present, webhooks[0]!)) await client.update(of, { ...present, webhooks })
  } catch (error) {
    if (isNotFound(error)) return
    if (!isConflict(error)) throw error
    await keep(client, of, wanted)
  }
}

async function read(client: KubeClient, of: Kind<Configuration>, name: string): Promise<Configuration | undefined> {
  try {
    return await client.get(of, { name })
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

const draftOf = ({ group, version, kind }: Kind): { apiVersion: string; kind: string } => ({
  apiVersion: `${group}/${version}`,
  kind,
})

/** Fields that we do not set are defaulted by the server. */
function says({ webhooks = [] }: Configuration, wanted: AdmissionWebhook): boolean {
  const [own] = webhooks as (Record<string, unknown> | undefined)[]
  return (
    webhooks.length === 1
    && own !== undefined
    && Object.entries(wanted).every(([field, value]) => deepEqual(own[field], value))
  )
}

function webhookAt(
  url: string | undefined,
  name: string,
): Pick<AdmissionWebhook, 'name' | 'clientConfig' | 'admissionReviewVersions' | 'sideEffects' | 'timeoutSeconds'> {
  return {
    name,
    clientConfig: { url: url ?? '' },
    admissionReviewVersions: ['v1'],
    sideEffects: 'NoneOnDryRun',
    timeoutSeconds: 10,
  }
}

const rule = (
  apiGroups: string[],
  resources: string[],
  operations: RuleWithOperations['operations'],
): RuleWithOperations => ({ apiGroups, apiVersions: ['*'], operations, resources, scope: 'Namespaced' })

/** Pods are created without a subset while the webhook is unavailable; the controller adopts them later. */
function podWebhook(url: string | undefined, namespaces: string[]): AdmissionWebhook {
  return {
    ...webhookAt(url, 'pods.spread.evenkeel.io'),
    failurePolicy: 'Ignore',
    namespaceSelector: { matchExpressions: [{ key: NAMESPACE_NAME, operator: 'In', values: namespaces }] },
    rules: [rule([''], ['pods'], ['CREATE', 'DELETE']), rule([''], ['pods/eviction'], ['CREATE'])],
  }
}

function spreadWebhook(url: string | undefined): AdmissionWebhook {
  return {
    ...webhookAt(url, 'workloadspreads.spread.evenkeel.io'),
    failurePolicy: 'Fail',
    rules: [{ ...rule(['apps.kruise.io'], ['workloadspreads'], ['CREATE', 'UPDATE']), apiVersions: ['v1beta1'] }],
  }
}
