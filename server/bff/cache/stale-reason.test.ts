import { expect, test } from 'vitest'
import { staleReason } from './stale-reason'

const cases: [code: number | undefined, error: string, says: string][] = [
  [undefined, 'connect ECONNREFUSED 10.0.0.1:6443', 'does not answer (connection refused)'],
  [undefined, 'getaddrinfo ENOTFOUND karmada.internal', 'does not answer (its name cannot be looked up)'],
  [undefined, 'self-signed certificate in certificate chain', 'does not answer (its certificate is not accepted)'],
  [undefined, 'Headers Timeout Error', 'does not answer (no answer in time)'],
  [undefined, 'other side closed', 'does not answer (the connection broke)'],
  [undefined, 'watching /apis/work.karmada.io/v1alpha2/works?timeoutSeconds=400: terminated', 'does not answer (the connection broke)'],
  [undefined, 'GET /api/v1/namespaces/refused/pods?timeoutSeconds=400: something new', 'does not answer.'],
  [undefined, 'something new at 10.0.0.1', 'does not answer.'],
  [401, 'Unauthorized', 'own credentials'],
  [403, 'User "system:serviceaccount:karmada-system:evenkeel" cannot list', 'may not read everything'],
  [404, 'the server could not find the requested resource', 'does not serve everything'],
  [429, 'too many requests', 'asks the console to wait'],
  [500, 'etcdserver: no leader at 10.0.0.1', 'failed at answering the console (500)'],
  [undefined, 'watching /api/v1/pods: the answer is no JSON', 'answers what the console does not understand'],
  [undefined, `Unexpected token '<', "<html>" is not valid JSON`, 'answers what the console does not understand'],
  [410, 'too old resource version', 'has forgotten where the console was (410)'],
  [418, 'teapot', 'refused the console (418)'],
]

test.each(cases)('of the answer %s, "%s", it says what to do and no names', (code, error, says) => {
  const sentence = staleReason({ code, error })
  expect(sentence).toContain(says)
  expect(sentence).toMatch(/^The .*\.$/)
  expect(sentence).not.toMatch(/10\.0\.0\.1|karmada\.internal|serviceaccount/)
})
