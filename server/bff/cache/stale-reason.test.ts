import { expect, test } from 'vitest'
import { english } from '@/lib/messages/english'
import { unreachable } from '@/server/kube/answers'
import { ProxyFault } from '@/server/kube/connection'
import { CredentialFault } from '@/server/kube/kubeconfig'
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

const failure = (code: string, text: string): Error => Object.assign(new Error(text), { code })

test.each([
  ['another CA', failure('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'), /not signed by the CA .* must set/],
  ['an expired certificate', failure('CERT_HAS_EXPIRED', 'certificate has expired'), /has expired.* must renew/],
  ['a certificate of tomorrow', failure('CERT_NOT_YET_VALID', 'not yet valid'), /not valid yet\. Check the clock/],
  [
    'another host name',
    failure('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname 10.0.0.1'),
    /not for the host name.* must renew/,
  ],
  ['a plug-in that fails', new CredentialFault('aws login failed', 'aws login'), /credential plug-in failed/],
  ['a proxy', new ProxyFault('http://10.0.0.1', failure('ECONNREFUSED', '10.0.0.1 refused')), /^The proxy between/],
])('a server that is there is not said to be silent: %s', (_what, cause, says) => {
  const error = unreachable(cause, 'GET /api/v1/pods')
  const sentence = english.of(staleReason({ error: error.message, cause: error }))
  expect(sentence).toMatch(says)
  expect(sentence).not.toMatch(/respond|10\.0\.0\.1|aws/)
})

test('a server that is not there is', () => {
  const error = unreachable(failure('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.1:6443'), 'GET /api/v1/pods')
  expect(english.of(staleReason({ error: error.message, cause: error }))).toContain('(connection refused)')
})
