/** A server and webhooks of its own for each test: every webhook is a real server. */
import { afterEach, beforeEach, expect } from 'vitest'
import { type Answered, startTestServer, type TestServer } from '../../testing/start-server'
import { startWebhook, type WebhookServer } from './webhook-server'

export const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1'
export const MAPS = '/api/v1/namespaces/default/configmaps'
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

export let server: TestServer
/** The webhook that tests configure unless they open others. */
export let hook: WebhookServer
const opened: WebhookServer[] = []

/** One more webhook, closed when the test ends. */
export async function open(...args: Parameters<typeof startWebhook>): Promise<WebhookServer> {
  const started = await startWebhook(...args)
  opened.push(started)
  return started
}

/** Gives every test of the file its own server and webhook. Call it once, at the top of the file. */
export function startAnewForEachTest(): void {
  beforeEach(async () => {
    server = await startTestServer()
    hook = await open()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((webhook) => webhook.close()))
    await server.close()
    expect(server.faults).toEqual([])
  })
}

export const everyMap = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }

interface Wanted extends Record<string, unknown> {
  name?: string
  url?: string
}

/** A webhook as its configuration names it. */
export function webhook({ name = 'a.hooks.test', url = hook.url, ...rest }: Wanted = {}): object {
  return {
    name,
    clientConfig: { url },
    rules: [everyMap],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...rest,
  }
}

/** Creates a configuration with these webhooks. */
export async function configure(
  sort: 'Mutating' | 'Validating',
  webhooks: object[],
  name = 'config',
): Promise<Answered> {
  const kind = `${sort}WebhookConfiguration`
  const answer = await server.send('POST', `${CONFIGURATIONS}/${kind.toLowerCase()}s`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks,
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer
}

export function configMap(name: string, data: Record<string, string> = { k: 'v' }, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data }
}

export const message = ({ body }: Answered): unknown => body.message
