import { afterEach, beforeEach, expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { apiVersionOf, type Kind } from '@/lib/kube/kind'
import { resourceBinding } from '@/lib/kube/kinds/resource-binding'
import type { UnknownObject } from '@/lib/kube/object'
import { aBinding } from '@/lib/testing/builders'
import type { KubeClient } from '@/server/kube/client'
import { createInformers } from '@/server/kube/informers'
import type { Informers } from '@/server/kube/informer'
import { systemClock } from '@/server/runtime/system-clock'
import { type Env, startEnv } from '@/server/testing/start-env'
import { acquireTemplateKinds, findTemplateKind, type TemplateKindsLease } from '.'

let env: Env
let leases: TemplateKindsLease[]

beforeEach(async () => {
  env = await startEnv()
  leases = []
})

afterEach(async () => {
  for (const { release } of leases) release()
  await env.close()
})

const nameOf = (kind: Kind<UnknownObject>): string => `${apiVersionOf(kind)}/${kind.kind}`

function acquire(context = env.context()): TemplateKindsLease {
  const lease = acquireTemplateKinds(context)
  leases.push(lease)
  return lease
}

const define = (name: string) =>
  env.client.raw('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name.toLowerCase()}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: name, plural: `${name.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  })

test('served kinds are found, except those that configure the federation', async () => {
  const { kinds } = acquire()
  await kinds.whenReady()
  const names = kinds.list().map(nameOf)
  expect(names).toEqual(
    expect.arrayContaining(['apps/v1/Deployment', 'v1/ConfigMap', 'rbac.authorization.k8s.io/v1/ClusterRole']),
  )
  // upstream: search.karmada.io is not among the excluded groups.
  const steering = names.filter((name) => /karmada\.io|evenkeel\.io|Event$|Lease$/.test(name))
  expect(steering).toEqual(['search.karmada.io/v1alpha1/ResourceRegistry'])
  expect(findTemplateKind(env.context(), 'work.karmada.io/v1alpha2', 'ResourceBinding')).toBeUndefined()
})

test('a subscriber receives added and removed kinds until it stops', async () => {
  const { kinds } = acquire()
  await kinds.whenReady()
  const seen: string[] = []
  const stop = kinds.each((kind) => {
    if (kind.group === 'example.com') seen.push(`+${kind.kind}`)
    return () => {
      if (kind.group === 'example.com') seen.push(`-${kind.kind}`)
    }
  })
  await define('Widget')
  await env.eventually(() => expect(seen).toEqual(['+Widget']))
  expect(kinds.find('example.com/v1', 'Widget')).toMatchObject({ plural: 'widgets', scope: 'Namespaced' })
  await env.client.raw('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com')
  await env.eventually(() => expect(seen).toEqual(['+Widget', '-Widget']))
  expect(kinds.find('example.com/v1', 'Widget')).toBeUndefined()
  await define('Gadget')
  await env.eventually(() => expect(seen).toEqual(['+Widget', '-Widget', '+Gadget']))
  stop()
  expect(seen).toEqual(['+Widget', '-Widget', '+Gadget', '-Gadget'])
})

test('all controllers share one catalog, and a new one starts after the last has released it', async () => {
  const [first, second] = [acquire(), acquire()]
  expect(first.kinds).toBe(second.kinds)
  for (const { release } of leases.splice(0)) release()
  expect(acquire().kinds).not.toBe(first.kinds)
})

test('a user of bound kinds gets only those, as their bindings are created, and all once another user needs them', async () => {
  await env.create(resourceBinding, aBinding('web'))
  const bound = acquireTemplateKinds(env.context(), 'bound')
  leases.push(bound)
  const names = () => bound.kinds.list().map(nameOf).toSorted()
  await env.eventually(() => expect(names()).toEqual(['apps/v1/Deployment']))
  expect(bound.kinds.find('v1', 'Secret')).toMatchObject({ plural: 'secrets' })
  const config = aBinding('settings')
  const resource = { ...config.spec.resource, apiVersion: 'v1', kind: 'ConfigMap' }
  await env.create(resourceBinding, { ...config, spec: { ...config.spec, resource } })
  await env.eventually(() => expect(names()).toEqual(['apps/v1/Deployment', 'v1/ConfigMap']))
  acquire()
  await env.eventually(() => expect(names()).toContain('v1/Secret'))
})

/** Everything except `refused`. */
function refusing(client: KubeClient, refused: string): KubeClient {
  const check = (kind: Kind): void => {
    if (kind.kind === refused) throw kubeError(403, 'Forbidden', `${kind.plural} is forbidden`)
  }
  return {
    ...client,
    get: (kind, ref) => client.get(kind, ref),
    raw: (method, path, body, signal) => client.raw(method, path, body, signal),
    list: (kind, options) => {
      check(kind as Kind)
      return client.list(kind, options)
    },
    watch: (kind, options, signal) => {
      check(kind as Kind)
      return client.watch(kind, options, signal)
    },
  } as KubeClient
}

test('a kind that may not be read does not delay the other kinds', async () => {
  const client = refusing(env.client, 'Secret')
  const informers: Informers = createInformers({
    client,
    clock: systemClock,
    random: () => 0,
    onError: () => undefined,
  })
  const { kinds } = acquire({ ...env.context(), client, informers })
  await kinds.whenReady()
  const [secret, map] = ['Secret', 'ConfigMap'].map((name) => kinds.list().find(({ kind }) => kind === name)!)
  expect(informers.of(map!).hasSynced()).toBe(true)
  expect(informers.of(secret!).hasSynced()).toBe(false)
  await informers.stop()
})
