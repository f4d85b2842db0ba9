import { describe, expect, test } from 'vitest'
import { refusalInWords } from './refusals'

describe('what a member answered', () => {
  test.each([
    [
      'an object of somebody else tells both ways out',
      'Failed to apply all manifests (0/1): resource(kind=ConfigMap, shop/settings) already exists in the cluster member1 and the '
        + 'work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource',
      'a ConfigMap shop/settings that was not propagated is there already; delete it there, or set conflictResolution: Overwrite '
        + 'in the policy to take it over',
    ],
    [
      'a webhook keeps its own words',
      'Failed to apply all manifests (0/1): admission webhook "images.example.com" denied the request: no image from outside',
      'its admission webhook images.example.com says: no image from outside',
    ],
    [
      'a quota names the figures',
      'pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=2, limited: pods=2',
      'its quota small is used up (requested: pods=1, used: pods=2, limited: pods=2); raise it there or place fewer replicas',
    ],
    [
      'a kind that is not served is named',
      'no matches for kind "Widget" in version "example.com/v1"',
      'it does not serve the kind Widget; install it there, or leave the cluster out of the policy',
    ],
    [
      'a kind that is not served need not be named',
      'Failed to apply all manifests (0/1): the server could not find the requested resource',
      'it does not serve this kind; install it there, or leave the cluster out of the policy',
    ],
    ['a silent API is tried again', 'dial tcp 10.0.0.1:6443: connect: connection refused', 'its API does not answer; it is tried again'],
    [
      'anything else is shown as it is, without the count before it',
      'Failed to apply all manifests (0/1): Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1',
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1',
    ],
  ])('%s', (_name, message, words) => expect(refusalInWords(message)).toBe(words))
})
