import { expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { staleReason } from './stale-reason'

const cases: [code: number | undefined, error: string, says: string][] = [
  [undefined, 'connect ECONNREFUSED 10.0.0.1:6443', 'does not respond (connection refused)'],
  [undefined, 'getaddrinfo ENOTFOUND karmada.internal', 'does not respond (name resolution failed)'],
  [undefined, 'self-signed certificate in certificate chain', 'does not respond (certificate rejected)'],
  [undefined, 'Headers Timeout Error', 'does not respond (timed out)'],
  [undefined, 'other side closed', 'does not respond (connection lost)'],
  [
    undefined,
    'watching /apis/work.karmada.io/v1alpha2/works?timeoutSeconds=400: terminated',
    'does not respond (connection lost)',
  ],
  [undefined, 'GET /api/v1/namespaces/refused/pods?timeoutSeconds=400: something new', 'does not respond.'],
  [undefined, 'something new at 10.0.0.1', 'does not respond.'],
  [401, 'Unauthorized', 'rejects the credentials'],
  [403, 'User "system:serviceaccount:karmada-system:evenkeel" cannot list', 'lacks permission to read'],
  [404, 'the server could not find the requested resource', 'no longer serves'],
  [429, 'too many requests', 'overloaded'],
  [500, 'etcdserver: no leader at 10.0.0.1', 'control plane failed (500)'],
  [undefined, 'watching /api/v1/pods: the answer is no JSON', 'invalid response'],
  [undefined, `Unexpected token '<', "<html>" is not valid JSON`, 'invalid response'],
  [410, 'too old resource version', 'watch expired (410)'],
  [418, 'teapot', 'refused the request of Evenkeel (418)'],
]

test.each(cases)('of the answer %s, "%s", it says what to do and no names', (code, error, says) => {
  const sentence = english.of(staleReason({ code, error }))
  expect(sentence).toContain(says)
  expect(sentence).toMatch(/^[A-Z].*\.$/)
  expect(sentence).not.toMatch(/10\.0\.0\.1|karmada\.internal|serviceaccount/)
})
