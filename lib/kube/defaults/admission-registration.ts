/** The defaults of webhook configurations. */
import type { AdmissionWebhook, RuleWithOperations, WebhookClientConfig } from '../kinds/admission-webhook'
import type { UnknownObject } from '../object'

const SERVICE_PORT = 443
const TIMEOUT_SECONDS = 10

/** A MutatingWebhookConfiguration with defaults. */
export function defaultMutatingWebhooks(configuration: UnknownObject): UnknownObject {
  return withWebhooks(configuration, (webhook) => ({
    ...defaultWebhook(webhook),
    reinvocationPolicy: webhook.reinvocationPolicy ?? 'Never',
  }))
}

/** A ValidatingWebhookConfiguration with defaults. */
export function defaultValidatingWebhooks(configuration: UnknownObject): UnknownObject {
  return withWebhooks(configuration, defaultWebhook)
}

function withWebhooks(
  configuration: UnknownObject,
  complete: (webhook: AdmissionWebhook) => AdmissionWebhook,
): UnknownObject {
  const webhooks = configuration.webhooks as AdmissionWebhook[] | undefined
  return webhooks ? { ...configuration, webhooks: webhooks.map(complete) } : configuration
}

function defaultWebhook(webhook: AdmissionWebhook): AdmissionWebhook {
  return {
    ...webhook,
    clientConfig: defaultClientConfig(webhook.clientConfig ?? {}),
    ...(webhook.rules && { rules: webhook.rules.map(defaultRule) }),
    failurePolicy: webhook.failurePolicy ?? 'Fail',
    matchPolicy: webhook.matchPolicy ?? 'Equivalent',
    namespaceSelector: webhook.namespaceSelector ?? {},
    objectSelector: webhook.objectSelector ?? {},
    timeoutSeconds: webhook.timeoutSeconds ?? TIMEOUT_SECONDS,
  }
}

function defaultRule(rule: RuleWithOperations): RuleWithOperations {
  return { ...rule, scope: rule.scope ?? '*' }
}

function defaultClientConfig(config: WebhookClientConfig): WebhookClientConfig {
  const { service } = config
  return service ? { ...config, service: { ...service, port: service.port ?? SERVICE_PORT } } : config
}
