/** Who may request, approve and sign certificates: the admission plugins of kube-apiserver for certificates. */
import { invalidError, invalidField } from '@/lib/kube/field-error'
import { resourceName } from '@/lib/kube/kind'
import { certificateSigningRequest, type CertificateSigningRequest } from '@/lib/kube/kinds'
import type { UnknownObject } from '@/lib/kube/object'
import { MASTERS } from '@/lib/kube/rbac/names'
import { deepEqual } from '@/lib/std/equal'
import { omit } from '@/lib/std/omit'
import type { Scope } from '../api'
import type { Caller } from '../call'
import { forbidden } from '../failures'
import type { Subresource } from '../registry/rules'
import { DerUnreadable } from './der'
import { readRequest } from './request'

export const REQUESTS = resourceName(certificateSigningRequest)
/** Signs certificates that authenticate at this server. */
export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client'

/** Adds the requester to a new certificate signing request; returns other objects unchanged. */
export function withRequester({ resource }: Scope, object: UnknownObject, caller: Caller): UnknownObject {
  if (resource.id !== REQUESTS || typeof object.spec !== 'object') return object
  const { user, uid, groups, extra } = caller
  const asked = {
    ...omit(object.spec as { extra?: unknown }, 'extra'),
    username: user,
    uid: uid ?? '',
    groups: [...groups],
    ...(extra && { extra }),
  }
  return { ...object, spec: asked }
}

/** Throws 422 for a new request that cannot be read or is not signed, and 403 for one of a forbidden group. */
export function refuseBadRequest({ resource }: Scope, object: UnknownObject): void {
  if (resource.id !== REQUESTS) return
  const { spec, metadata } = object as unknown as CertificateSigningRequest
  const { organizations } = readSound(spec.request, metadata.name)
  if (spec.signerName !== CLIENT_SIGNER || !organizations.includes(MASTERS)) return
  const why = `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`
  throw forbidden(certificateSigningRequest, metadata.name, why)
}

function readSound(request: string, name: string): ReturnType<typeof readRequest> {
  try {
    return readRequest(request)
  } catch (error) {
    if (!(error instanceof DerUnreadable)) throw error
    throw invalidError(certificateSigningRequest, name, [invalidField('spec.request', request, error.message)])
  }
}

/** A change of a request. */
export interface RequestWrite {
  next: UnknownObject
  old: UnknownObject
  part: Subresource | undefined
}

/** Throws 403 for an approval or a signature of a caller who may not do that for the signer. */
export function refuseUnentitledSigner(scope: Scope, caller: Caller, { next, old, part }: RequestWrite): void {
  if (scope.resource.id !== REQUESTS || part === undefined || caller.groups.includes(MASTERS)) return
  if (part === 'status' && deepEqual(next.status, old.status)) return
  const { spec, metadata } = old as unknown as CertificateSigningRequest
  const verb = part === 'approval' ? 'approve' : 'sign'
  if (mayDo(scope, caller, verb, spec.signerName)) return
  const why = `user not permitted to ${verb} requests with signerName ${JSON.stringify(spec.signerName)}`
  throw forbidden(certificateSigningRequest, metadata.name, why)
}

/** For the signer by its name, or for every signer of its domain. */
function mayDo({ api, keyspace }: Scope, caller: Caller, verb: string, signer: string): boolean {
  const domain = `${signer.slice(0, signer.indexOf('/'))}/*`
  return [signer, domain].some((name) => {
    const attributes = {
      verb,
      group: certificateSigningRequest.group,
      version: '*',
      resource: 'signers',
      subresource: '',
    }
    return api.access.authorizer.decide(keyspace.name, caller, { ...attributes, namespace: '', name }).allowed
  })
}
