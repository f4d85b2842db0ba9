/** Signs approved requests of the control plane, as the signers of kube-controller-manager do. */
import type { CertificateSigningRequest } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { MASTERS } from '@/lib/kube/rbac/names'
import { ownField } from '@/lib/std/fields'
import type { Api } from '../api'
import { createKeyController } from '../controllers/key-controller'
import type { Controller } from '../controllers/namespaces'
import type { Keyspace } from '../registry/keyspace'
import { updateObject } from '../registry/update'
import { serverWriter } from '../registry/writer'
import type { Entry, StoreEvent } from '../store/store'
import type { KeyPair } from '../tls/certificates'
import { CLIENT_SIGNER, REQUESTS } from './entitlement'
import { type CertificateRequest, readRequest } from './request'
import { organizationsOf, signRequest } from './sign'

const YEAR_SECONDS = 365 * 86_400
const MIN_SECONDS = 600

/**
 * Signs with `authority`. Requests of members stay unsigned: its certificates are valid for the control plane.
 */
export function startSigning(api: Api, keyspace: Keyspace, authority: KeyPair): Controller {
  const loop = createKeyController('certificates', api, (name) => sign(api, keyspace, { authority, name }))
  const look = ({ type, entry }: StoreEvent): void => {
    if (type !== 'delete' && isWaiting(entry)) loop.add(entry.location.key)
  }
  const unsubscribe = api.store.subscribe((events) => events.forEach(look))
  for (const entry of api.store.list({ keyspace: keyspace.name, resource: REQUESTS })) {
    if (isWaiting(entry)) loop.add(entry.location.key)
  }
  return {
    close: async () => {
      unsubscribe()
      await loop.close()
    },
  }
}

/** Reports whether a request is approved for a signer of this server, and neither signed nor failed. */
function isWaiting({ location, value }: Entry): boolean {
  if (location.keyspace !== '' || location.resource !== REQUESTS) return false
  const { spec, status } = value as unknown as CertificateSigningRequest
  const types = new Set((status?.conditions ?? []).map(({ type }) => type))
  const isOpen = types.has('Approved') && !types.has('Failed') && !status?.certificate
  return isOpen && ownField(SIGNERS, spec.signerName) !== undefined
}

async function sign(
  api: Api,
  keyspace: Keyspace,
  { authority, name }: { authority: KeyPair; name: string },
): Promise<void> {
  const resource = keyspace.registry.find('certificates.k8s.io', 'v1', 'certificatesigningrequests')
  const entry = api.store.get({ keyspace: keyspace.name, resource: REQUESTS, key: name })
  if (!resource || !entry || !isWaiting(entry)) return
  const status = await outcomeOf(api, authority, entry.value as unknown as CertificateSigningRequest)
  const change = (current: UnknownObject): UnknownObject => ({
    ...current,
    status: { ...(current.status as object), ...status(current as unknown as CertificateSigningRequest) },
  })
  await updateObject({ api, keyspace, resource }, entry, { writer: serverWriter, subresource: 'status', change })
}

type Outcome = (current: CertificateSigningRequest) => object

/** The certificate, or why there is none. */
async function outcomeOf({ clock }: Api, authority: KeyPair, { spec }: CertificateSigningRequest): Promise<Outcome> {
  const request = readRequest(spec.request)
  const { usages = [], expirationSeconds = YEAR_SECONDS } = spec
  const problem = ownField(SIGNERS, spec.signerName)?.(request, usages)
  if (problem !== undefined) return failed(problem)
  const seconds = Math.min(Math.max(expirationSeconds, MIN_SECONDS), YEAR_SECONDS)
  const certificate = await signRequest(authority, { request: request.raw, usages, seconds, now: clock.now() })
  // A second look with the reader that authenticates, whatever the request was read as.
  if (organizationsOf(certificate).includes(MASTERS)) return failed(`the group ${MASTERS} is not signed`)
  return () => ({ certificate: Buffer.from(certificate).toString('base64') })
}

function failed(message: string): Outcome {
  const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message }
  return ({ status }) => ({ conditions: [...(status?.conditions ?? []), condition] })
}

/** What is wrong with a request, by signer. */
const SIGNERS: Readonly<
  Record<string, (request: CertificateRequest, usages: readonly string[]) => string | undefined>
> = {
  [CLIENT_SIGNER]: (_request, usages) => clientProblem(usages),
  'kubernetes.io/kube-apiserver-client-kubelet': nodeClientProblem,
  'kubernetes.io/kubelet-serving': nodeServingProblem,
}

const OPTIONAL = ['digital signature', 'key encipherment']
const CLIENT = 'client auth'

function clientProblem(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => usage !== CLIENT && !OPTIONAL.includes(usage))
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes(CLIENT) ? undefined : `missing required usage for client certificate: ${CLIENT}`
}

const NODES = 'system:nodes'
const NODE_PREFIX = 'system:node:'

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === NODES
}

function nodeClientProblem({ names, ...request }: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isOfNodes({ names, ...request })) return `subject organization is not ${NODES}`
  if (names.dns > 0) return 'DNS subjectAltNames are not allowed'
  if (names.email > 0) return 'Email subjectAltNames are not allowed'
  if (names.ip > 0) return 'IP subjectAltNames are not allowed'
  if (names.uri > 0) return 'URI subjectAltNames are not allowed'
  if (!request.commonName.startsWith(NODE_PREFIX)) return `subject common name does not begin with ${NODE_PREFIX}`
  return usageProblem(usages, CLIENT)
}

function nodeServingProblem(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names, commonName } = request
  if (!isOfNodes(request)) return `subject organization is not ${NODES}`
  if (names.dns + names.ip === 0) return 'DNS or IP subjectAltName is required'
  if (names.email > 0) return 'Email subjectAltNames are not allowed'
  if (names.uri > 0) return 'URI subjectAltNames are not allowed'
  const problem = usageProblem(usages, 'server auth')
  if (problem !== undefined) return problem
  return commonName.startsWith(NODE_PREFIX) ? undefined : `subject common name does not begin with ${NODE_PREFIX}`
}

/** The key encipherment may be left out: only RSA keys can do it. */
function usageProblem(usages: readonly string[], needed: string): string | undefined {
  const all = [needed, ...OPTIONAL].sort()
  const given = [...usages].sort().join()
  const matches = given === all.join() || given === all.filter((usage) => usage !== 'key encipherment').join()
  return matches ? undefined : `usages did not match [${all.join(' ')}]`
}
