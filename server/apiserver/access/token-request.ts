/** POST of `serviceaccounts/NAME/token`. */
import { type TokenRequest, tokenRequest } from '@/lib/kube/kinds/access-reviews'
import type { UnknownObject } from '@/lib/kube/object'
import { type FieldError, invalidError, invalidField } from '@/lib/kube/field-error'
import { formatTime } from '@/lib/std/clock'
import { ownField } from '@/lib/std/fields'
import type { Ask } from '../api'
import { readObject } from '../body'
import { json, type Reply } from '../call'
import { badRequest, conflict, kindNotFound } from '../failures'
import { dropUnknown } from '../field-validation'
import { resourceOf } from '../registry/resource'
import { find } from '../verbs/get'
import { API_AUDIENCE, type BoundObject } from './account-tokens'

const DEFAULT_SECONDS = 3600
const MIN_SECONDS = 600
const MAX_SECONDS = 2 ** 32

const form = resourceOf(tokenRequest)

/** Issues a token for a service account. Throws 400, 404, 409 and 422. */
export async function requestToken(ask: Ask): Promise<Reply> {
  const {
    api,
    keyspace,
    target: { namespace = '' },
  } = ask
  const { spec, metadata } = await readRequest(ask)
  refuseOtherNames(ask, metadata)
  const account = find(ask).value.metadata
  const { audiences, expirationSeconds = DEFAULT_SECONDS, boundObjectRef } = spec
  refuse('', checkSeconds(expirationSeconds))
  const bound = boundObjectRef && boundObjectOf(ask, boundObjectRef)
  const issuedAt = Math.floor(api.clock.now() / 1000)
  const claims = {
    keyspace: keyspace.name,
    namespace,
    account: { name: account.name, uid: account.uid },
    bound,
    audiences: audiences.length > 0 ? audiences : [API_AUDIENCE],
    issuedAt,
    expiresAt: issuedAt + expirationSeconds,
    id: api.uid(),
  }
  return json(
    {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: account.name, namespace, uid: account.uid, creationTimestamp: formatTime(api.clock.now()) },
      spec: { audiences: claims.audiences, expirationSeconds, boundObjectRef: boundObjectRef ?? null },
      status: {
        token: api.access.accountTokens.issue(claims),
        expirationTimestamp: formatTime(claims.expiresAt * 1000),
      },
    },
    201,
  )
}

async function readRequest({ call }: Ask): Promise<Pick<TokenRequest, 'spec' | 'metadata'>> {
  const sent = dropUnknown(call, form, await readObject(call, form))
  const { spec, metadata } = sent as UnknownObject & { spec?: Partial<TokenRequest['spec']> }
  return { metadata, spec: { ...spec, audiences: spec?.audiences ?? [] } }
}

function refuse(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError(tokenRequest, name, errors)
}

/** Name and namespace are the path's; a body may repeat them. */
function refuseOtherNames({ target }: Ask, { name, namespace }: { name?: string; namespace?: string }): void {
  refuse(target.name ?? '', [
    ...(name && name !== target.name
      ? [invalidField('metadata.name', name, 'must match the service account name if specified')]
      : []),
    ...(namespace && namespace !== target.namespace
      ? [invalidField('metadata.namespace', namespace, 'must match the service account namespace if specified')]
      : []),
  ])
}

function checkSeconds(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds'
  if (seconds < MIN_SECONDS) return [invalidField(field, seconds, 'may not specify a duration less than 10 minutes')]
  if (seconds <= MAX_SECONDS) return []
  return [invalidField(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
}

type Reference = NonNullable<TokenRequest['spec']['boundObjectRef']>

const BINDABLE: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets' }

function boundObjectOf({ api, keyspace, target }: Ask, reference: Reference): BoundObject {
  const { apiVersion = '', kind = '', name = '', uid } = reference
  const resource = ownField(BINDABLE, kind)
  if (apiVersion !== 'v1' || !resource) {
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
    throw badRequest(`cannot bind token to object of type ${group ?? ''}/${version ?? ''}, Kind=${kind}`)
  }
  const found = api.store.get({ keyspace: keyspace.name, resource, key: `${target.namespace}/${name}` })
  if (!found) throw kindNotFound(resource, name)
  const { serviceAccountName } = (found.value.spec ?? {}) as { serviceAccountName?: string }
  if (kind === 'Pod' && serviceAccountName !== target.name) {
    const account = JSON.stringify(target.name)
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    )
  }
  const present = found.value.metadata.uid
  if (uid && uid !== present) {
    const why =
      `the UID in the bound object reference (${uid}) does not match the UID in record. `
      + 'The object might have been deleted and then recreated'
    throw conflict({ group: '', plural: kind }, name, why)
  }
  return { kind: kind as BoundObject['kind'], name, uid: present }
}
