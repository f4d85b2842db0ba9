/** The output of kubectl, word for word. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEventRecorder } from '@/server/kube/events'
import { type KubectlServer, startKubectlServer } from '@/server/apiserver/testing/kubectl'
import { ADMIN_TOKEN } from '@/server/apiserver/testing/start-server'
import { createInformers } from '@/server/kube/informers'
import { createRestClient, type RestClient } from '@/server/kube/rest-client'
import type { ReconcilerContext } from '@/server/runtime/controller'
import { createManager, type Manager } from '@/server/runtime/manager'
import { systemClock } from '@/server/runtime/system-clock'
import { createLogger } from '@/server/telemetry/logger'
import { startWebhooks, type Webhooks } from '.'
import { webhookPair } from './testing/tenants'

let tool: KubectlServer
let client: RestClient
let manager: Manager
let webhooks: Webhooks

/** The server of the test has a clock of its own; the webhooks live in its time. */
function contextOver(running: KubectlServer): ReconcilerContext {
  client = createRestClient({ url: running.server.url, token: ADMIN_TOKEN })
  const shared = { client, clock: running.server.clock, random: Math.random, onError: () => undefined }
  const log = createLogger({ level: 'silent' })
  return {
    ...shared,
    log,
    informers: createInformers({ ...shared, clock: systemClock }),
    events: createEventRecorder(shared),
  }
}

beforeAll(async () => {
  tool = await startKubectlServer()
  const context = contextOver(tool)
  webhooks = await startWebhooks(context, { host: '127.0.0.1', port: 0, pair: await webhookPair() })
  manager = createManager(context)
  manager.add(webhooks.registration)
  await manager.start()
  await tool.kubectl(['apply', '-f', '-'], FLEET)
  await untilItSays(['get', 'mutatingwebhookconfiguration', 'evenkeel-queues', '-o', 'yaml'], '- shop')
})
afterAll(async () => {
  await manager.stop()
  await webhooks.close()
  await client.close()
  await tool.close()
})

const FLEET = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: keeper }
rules:
  - { apiGroups: [evenkeel.io], resources: [queues], verbs: [get, list, update, patch] }
  - { apiGroups: [work.karmada.io], resources: [resourcebindings], verbs: [get, list, create, update, patch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: keepers, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: keeper }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ann }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: developer }
rules:
  - { apiGroups: [work.karmada.io], resources: [resourcebindings], verbs: [get, list, create, update, patch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: developers, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: developer }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: bob }]
---
apiVersion: evenkeel.io/v1alpha1
kind: Queue
metadata: { name: line, namespace: shop }
spec: { quota: { hard: { cpu: "2" } } }
`

const binding = (name: string, more = '') => `
apiVersion: work.karmada.io/v1alpha2
kind: ResourceBinding
metadata: { name: ${name}, namespace: shop }
spec:
  resource: { apiVersion: apps/v1, kind: Deployment, namespace: shop, name: ${name} }
  replicas: 1
  replicaRequirements: { resourceRequest: { cpu: "1" } }
  placement: {}${more}
`

/** Output and errors of a command, without the command itself. */
async function said(args: string[], stdin?: string): Promise<string> {
  const text = await tool
    .kubectl(args, stdin)
    .catch((error: Error) => error.message.slice(error.message.indexOf(': ') + 2))
  return text.trim()
}

async function untilItSays(args: string[], text: string): Promise<void> {
  const end = performance.now() + 20_000
  for (let shown = ''; !shown.includes(text);) {
    if (performance.now() > end) throw new Error(`kubectl ${args.join(' ')} does not say "${text}": ${shown}`)
    shown = await said(args)
  }
}

const suspend = (value: string) => ['--type=merge', '-p', `{"spec":{"suspension":{"scheduling":${value}}}}`]

test('a new binding is pending; a placed one is not suspended, and kubectl prints the remedy', async () => {
  expect(await said(['create', '-f', '-'], binding('web'))).toBe('resourcebinding.work.karmada.io/web created')
  expect(
    await said(['-n', 'shop', 'get', 'rb', 'web', '-o', 'jsonpath={.spec.suspension} {.metadata.annotations}']),
  ).toBe('{"scheduling":true} {"queue.evenkeel.io/queue":"shop/line"}')
  expect(await said(['create', '-f', '-'], binding('placed', '\n  clusters: [{ name: member1, replicas: 1 }]'))).toBe(
    'resourcebinding.work.karmada.io/placed created',
  )
  expect(await said(['-n', 'shop', 'patch', 'rb', 'placed', ...suspend('true')])).toBe(
    'Error from server (Forbidden): admission webhook "suspension.evenkeel.io" denied the request: spec.suspension.scheduling: '
      + 'this binding has been scheduled already, and suspending it now would stop its scaling and failover. Suspend a binding when it is created, '
      + 'hold its queue (spec.hold.includePlaced also holds what is placed), or set spec.suspension.dispatching in its policy to stop what is sent to clusters',
  )
})

test('the keeper of a queue holds it, a developer cannot undo that, and the keeper cannot help itself to more quota', async () => {
  const ann = ['--as=ann', '-n', 'shop']
  expect(
    await said([
      ...ann,
      'patch',
      'queue',
      'line',
      '--type=merge',
      '-p',
      '{"spec":{"hold":{"reason":"stock-taking","by":"the boss"}}}',
    ]),
  ).toBe('queue.evenkeel.io/line patched')
  expect(await said([...ann, 'get', 'queue', 'line', '-o', 'jsonpath={.spec.hold.by}'])).toBe('ann')
  await untilItSays(
    ['get', 'validatingwebhookconfiguration', 'evenkeel-queues', '-o', 'yaml'],
    'release.queue.evenkeel.io',
  )
  expect(await said(['--as=bob', '-n', 'shop', 'patch', 'rb', 'web', ...suspend('false')])).toBe(
    'Error from server (Forbidden): admission webhook "release.queue.evenkeel.io" denied the request: spec.suspension.scheduling: queue shop/line is on hold by ann '
      + '(stock-taking), and bob cannot update it. Ask ann to resume it',
  )
  expect(await said([...ann, 'patch', 'queue', 'line', '--type=merge', '-p', '{"spec":{"quota":null}}'])).toBe(
    'Error from server (Forbidden): admission webhook "validate.queue.evenkeel.io" denied the request: spec.quota: Forbidden: '
      + 'ann cannot create queues in namespace "shop", which this change requires',
  )
  expect(
    await said([
      ...ann,
      'patch',
      'queue',
      'line',
      '--type=merge',
      '-p',
      '{"spec":{"hold":{"until":"2001-01-01T00:00:00Z"}}}',
    ]),
  ).toMatch(
    /^The request is invalid: admission webhook "validate\.queue\.evenkeel\.io" denied the request: spec\.hold\.until: Invalid value: "2001-01-01T00:00:00Z": must be in the future; it is now \S+\. Omit it to hold the queue until it is resumed$/,
  )
})

test('a second queue for the namespace is refused by the name of the first', async () => {
  const second = 'apiVersion: evenkeel.io/v1alpha1\nkind: Queue\nmetadata: { name: second, namespace: shop }\n'
  expect(await said(['create', '-f', '-'], second)).toBe(
    'The request is invalid: error when creating "STDIN": admission webhook "validate.queue.evenkeel.io" denied the request: metadata.namespace: Invalid value: "shop": '
      + 'queue shop/line already includes this namespace, and a namespace belongs to one queue. Remove it there first',
  )
})
