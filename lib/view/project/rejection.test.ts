import { describe, expect, test } from 'vitest'
import { message, type Message } from '@/lib/messages/message'
import { rejection } from './rejection'

describe('what a member answered', () => {
  test.each<[string, string, Message | string]>([
    [
      'an object that was not propagated',
      'Failed to apply all manifests (0/1): resource(kind=ConfigMap, shop/settings) already exists in the cluster member1 and the '
        + 'work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
      message('workload.rejection.exists', { kind: 'ConfigMap', name: 'shop/settings' }),
    ],
    [
      'a webhook keeps its own words',
      'Failed to apply all manifests (0/1): admission webhook "images.example.com" denied the request: no image from outside',
      message('workload.rejection.webhook', { webhook: 'images.example.com', why: 'no image from outside' }),
    ],
    [
      'a quota names the figures',
      'pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
      message('workload.rejection.quota', {
        quota: 'small',
        figures: 'requested: pods=1, used: pods=2, limited: pods=2',
      }),
    ],
    [
      'a kind that is not served is named',
      'no matches for kind "Widget" in version "example.com/v1"',
      message('workload.rejection.kind', { kind: 'Widget' }),
    ],
    [
      'a kind that is not served need not be named',
      'Failed to apply all manifests (0/1): the server could not find the requested resource',
      message('workload.rejection.someKind'),
    ],
    [
      'a silent API is tried again',
      'dial tcp 10.0.0.1:6443: connect: connection refused',
      message('workload.rejection.unreachable'),
    ],
    [
      'anything else is shown as it is, without the count before it',
      'Failed to apply all manifests (0/1): Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1',
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1',
    ],
  ])('%s', (_name, text, expected) => expect(rejection(text)).toEqual(expected))
})
