/** Explains why a real control plane cannot be used: the cause, and what an operator can do about it. */
import { KubeError } from '@/lib/kube/errors'
import { message, type Message } from '@/lib/messages/message'
import { ProxyFault } from '@/server/kube/connection'
import { CredentialFault, KubeconfigFault, type KubeconfigProblem } from '@/server/kube/kubeconfig'
import { ProxyInvalid } from '@/server/kube/proxy'

export type ConnectionProblem =
  | 'UntrustedAuthority'
  | 'ExpiredCertificate'
  | 'CertificateNotYetValid'
  | 'OtherHostName'
  | 'Address'
  | 'Plugin'
  | 'Kubeconfig'
  | 'ProxyInvalid'
  | 'Proxy'
  | 'Credentials'
  | 'Permission'

const OF_CERTIFICATE: ReadonlySet<ConnectionProblem | undefined> = new Set([
  'UntrustedAuthority',
  'ExpiredCertificate',
  'CertificateNotYetValid',
  'OtherHostName',
])

/** Reports whether the server is there, but presents a certificate that is not accepted. */
export const isOfCertificate = (problem: ConnectionProblem | undefined): boolean => OF_CERTIFICATE.has(problem)

export interface ConnectionFault {
  /** Undefined for unknown errors. */
  problem?: ConnectionProblem
  cause: string
  advice: Message
}

const OF_CODE: Readonly<Record<string, ConnectionProblem>> = {
  SELF_SIGNED_CERT_IN_CHAIN: 'UntrustedAuthority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'UntrustedAuthority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'UntrustedAuthority',
  UNABLE_TO_GET_ISSUER_CERT: 'UntrustedAuthority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'UntrustedAuthority',
  CERT_SIGNATURE_FAILURE: 'UntrustedAuthority',
  ERR_OSSL_PEM_NO_START_LINE: 'UntrustedAuthority',
  CERT_HAS_EXPIRED: 'ExpiredCertificate',
  CERT_NOT_YET_VALID: 'CertificateNotYetValid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'OtherHostName',
  ECONNREFUSED: 'Address',
  ENOTFOUND: 'Address',
  EAI_AGAIN: 'Address',
  EHOSTUNREACH: 'Address',
  ENETUNREACH: 'Address',
  ETIMEDOUT: 'Address',
  UND_ERR_CONNECT_TIMEOUT: 'Address',
}

const ADDRESS = message('server.advice.address')
/** For the problems whose advice names nothing. */
const ADVICE: Readonly<Partial<Record<ConnectionProblem, Message>>> = {
  UntrustedAuthority: message('server.advice.authority'),
  ExpiredCertificate: message('server.advice.expiredCertificate'),
  CertificateNotYetValid: message('server.advice.clock'),
  OtherHostName: message('server.advice.hostName'),
  Address: ADDRESS,
  ProxyInvalid: message('server.advice.proxyInvalid'),
  Credentials: message('server.advice.renew'),
  Permission: message('server.advice.grant'),
}
const OF_KUBECONFIG: Readonly<Record<KubeconfigProblem, Message>> = {
  missing: message('server.advice.kubeconfigMissing'),
  unreadable: message('server.advice.kubeconfigUnreadable'),
  invalid: message('server.advice.kubeconfigInvalid'),
  context: message('server.advice.context'),
  cluster: message('server.advice.cluster'),
  files: message('server.advice.kubeconfigFiles'),
  pod: message('server.advice.pod'),
}

/** The innermost error that is known decides; behind a proxy, an address that does not answer is that of the proxy. */
export function connectionFault(error: unknown): ConnectionFault {
  const chain = causesOf(error)
  const proxied = chain.find((one) => one instanceof ProxyFault)
  for (const one of chain.toReversed()) {
    const problem = problemOf(one)
    if (problem !== undefined && !(proxied && problem === 'Address')) {
      return { problem, cause: textOf(one), advice: adviceOn(one, problem) }
    }
  }
  if (proxied) return { problem: 'Proxy', cause: textOf(proxied), advice: adviceOn(proxied, 'Proxy') }
  return { cause: textOf(chain.at(-1)), advice: ADDRESS }
}

/** Returns the error and its causes. An AggregateError of several attempts counts as its first error. */
function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let one = error; one !== undefined && !chain.includes(one); one = causeOf(one)) chain.push(one)
  return chain
}

function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors[0]
  return error instanceof Error ? error.cause : undefined
}

function problemOf(error: unknown): ConnectionProblem | undefined {
  if (error instanceof KubeError && error.code === 401) return 'Credentials'
  if (error instanceof KubeError && error.code === 403) return 'Permission'
  if (error instanceof CredentialFault) return 'Plugin'
  if (error instanceof KubeconfigFault) return 'Kubeconfig'
  if (error instanceof ProxyInvalid) return 'ProxyInvalid'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(OF_CODE, code) ? OF_CODE[code] : undefined
}

function adviceOn(error: unknown, problem: ConnectionProblem): Message {
  if (error instanceof CredentialFault) return message('server.advice.plugin', { command: error.command })
  if (error instanceof KubeconfigFault) return OF_KUBECONFIG[error.problem]
  if (error instanceof ProxyFault) return message('server.advice.proxy', { proxy: error.proxy })
  return ADVICE[problem] ?? ADDRESS
}

/** Advice of Node.js about its own options, which are no options of Evenkeel. */
const OF_NODE = /; if the root CA is installed locally, .*$/

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return error.message.replace(OF_NODE, '') || code || error.name
}
