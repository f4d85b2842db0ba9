import { expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { english } from '@/lib/messages/english'
import { unreachable } from '@/server/kube/answers'
import { CredentialFault } from '@/server/kube/kubeconfig'
import { connectionFault } from './connection-faults'

const failure = (code: string, text: string): Error => Object.assign(new Error(text), { code })
const away = (cause: Error): Error => unreachable(cause, 'GET /version')

test.each([
  ['an expired token', kubeError(401, 'Unauthorized', 'Unauthorized'), 'Unauthorized', /Renew the token/],
  ['no permission', kubeError(403, 'Forbidden', 'may not'), 'may not', /ClusterRole/],
  [
    'another CA',
    away(failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate')),
    'self-signed certificate',
    /certificate-authority/,
  ],
  ['a certificate that expired', away(failure('CERT_HAS_EXPIRED', 'expired')), 'expired', /Renew the certificate/],
  [
    'a server that is not there, at each of its addresses',
    away(new AggregateError([failure('ECONNREFUSED', 'connect ECONNREFUSED ::1:6443')])),
    'connect ECONNREFUSED ::1:6443',
    /Check the server/,
  ],
  ['a plug-in that hangs', away(new CredentialFault('it hangs', 'aws login')), 'it hangs', /aws login/],
  ['what is not known', 'nonsense', 'nonsense', /Check the server/],
])('says what is wrong and what to do: %s', (_what, error, cause, advice) => {
  const fault = connectionFault(error)
  expect(fault.cause).toBe(cause)
  expect(english.of(fault.advice)).toMatch(advice)
})
