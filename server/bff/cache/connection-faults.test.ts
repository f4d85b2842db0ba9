import { expect, test } from 'vitest'
import { kubeError } from '@/lib/kube/errors'
import { english } from '@/lib/messages/english'
import { unreachable } from '@/server/kube/answers'
import { ProxyFault } from '@/server/kube/connection'
import { CredentialFault, KubeconfigFault } from '@/server/kube/kubeconfig'
import { ProxyInvalid } from '@/server/kube/proxy'
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
  [
    'another CA, without the advice of Node.js',
    away(failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not verified; if the root CA is installed locally, try --x')),
    'not verified',
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
  ['a kubeconfig that is not there', new KubeconfigFault('missing', 'no such file'), 'no such file', /Create the file/],
  [
    'a kubeconfig that may not be read, though its cause is an errno',
    new KubeconfigFault('unreadable', 'cannot read it', failure('EACCES', 'permission denied')),
    'cannot read it',
    /chown or chmod/,
  ],
  ['a context that is not there', new KubeconfigFault('context', 'no context'), 'no context', /--context/],
  ['a proxy that is no address', new ProxyInvalid('no address'), 'no address', /proxy-url/],
  [
    'a proxy that is not there: not the API server is to be checked',
    away(new ProxyFault('http://p:3128', failure('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.9:3128'))),
    'through the proxy http://p:3128: connect ECONNREFUSED 10.0.0.9:3128',
    /proxy http:\/\/p:3128/,
  ],
  [
    'another CA behind a proxy',
    away(new ProxyFault('http://p:3128', failure('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'))),
    'self-signed certificate',
    /certificate-authority/,
  ],
  ['what is not known', 'nonsense', 'nonsense', /Check the server/],
])('says what is wrong and what to do: %s', (_what, error, cause, advice) => {
  const fault = connectionFault(error)
  expect(fault.cause).toBe(cause)
  expect(english.of(fault.advice)).toMatch(advice)
})
