/** Explains connection errors of a real control plane: the cause, and what an operator can do about it. */
import { KubeError } from '@/lib/kube/errors'
import { message, type Message } from '@/lib/messages/message'
import { ProxyFault } from '@/server/kube/connection'
import { CredentialFault, KubeconfigFault, type KubeconfigProblem } from '@/server/kube/kubeconfig'
import { ProxyInvalid } from '@/server/kube/proxy'

export interface ConnectionFault {
  cause: string
  advice: Message
}

const CA = message('server.advice.authority')
const ADDRESS = message('server.advice.address')

const ADVICE: Readonly<Record<string, Message>> = {
  SELF_SIGNED_CERT_IN_CHAIN: CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CA,
  UNABLE_TO_GET_ISSUER_CERT: CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CA,
  CERT_SIGNATURE_FAILURE: CA,
  ERR_OSSL_PEM_NO_START_LINE: CA,
  CERT_HAS_EXPIRED: message('server.advice.expiredCertificate'),
  CERT_NOT_YET_VALID: message('server.advice.clock'),
  ERR_TLS_CERT_ALTNAME_INVALID: message('server.advice.hostName'),
  ECONNREFUSED: ADDRESS,
  ENOTFOUND: ADDRESS,
  EAI_AGAIN: ADDRESS,
  EHOSTUNREACH: ADDRESS,
  ENETUNREACH: ADDRESS,
  ETIMEDOUT: ADDRESS,
  UND_ERR_CONNECT_TIMEOUT: ADDRESS,
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
const RENEW = message('server.advice.renew')
const GRANT = message('server.advice.grant')

/** The innermost error that is known decides; behind a proxy, an address that does not answer is that of the proxy. */
export function connectionFault(error: unknown): ConnectionFault {
  const chain = causesOf(error)
  const proxied = chain.find((one) => one instanceof ProxyFault)
  for (const one of chain.toReversed()) {
    const advice = adviceOf(one)
    if (advice !== undefined && !(proxied && advice === ADDRESS)) return { cause: textOf(one), advice }
  }
  if (proxied) return { cause: textOf(proxied), advice: message('server.advice.proxy', { proxy: proxied.proxy }) }
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

function adviceOf(error: unknown): Message | undefined {
  if (error instanceof KubeError && error.code === 401) return RENEW
  if (error instanceof KubeError && error.code === 403) return GRANT
  if (error instanceof CredentialFault) return message('server.advice.plugin', { command: error.command })
  if (error instanceof KubeconfigFault) return OF_KUBECONFIG[error.problem]
  if (error instanceof ProxyInvalid) return message('server.advice.proxyInvalid')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return error.message || code || error.name
}
